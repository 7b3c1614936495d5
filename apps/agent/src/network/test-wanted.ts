import type { DesiredNetwork } from '@masthead/contract/devices/network/settings'

/** What is wanted of a device's network: these parts alone. */
export const network = (parts: Partial<DesiredNetwork> & { generation: number }): DesiredNetwork => ({
  priority: null,
  apn: null,
  pin: null,
  wifi: null,
  profile: null,
  esim: null,
  ...parts,
})
