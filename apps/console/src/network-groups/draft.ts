import type { GroupFields, NetworkGroup } from '@masthead/contract/network-groups/network-group'

/** What was changed and is not saved. */
export type Draft = GroupFields
/** All fields of a group, as they are shown. */
export type Fields = Required<Omit<GroupFields, 'name'>> & { name?: string | undefined }

/** The fields of a group, or of one that is to be made: no limit, everywhere, all technologies. */
export function fieldsOf(group: NetworkGroup | null): Fields {
  if (group) {
    const { name, limit_bytes, limit_period, on_limit, countries, networks, rats, apn, imei_lock } = group
    return { name, limit_bytes, limit_period, on_limit, countries, networks, rats, apn, imei_lock }
  }
  const open = { limit_bytes: null, limit_period: 'month', on_limit: 'block', countries: null, networks: [], rats: null } as const
  return { ...open, networks: [], apn: null, imei_lock: false }
}
