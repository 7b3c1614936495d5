/** What the keys of recordings begin with. */
export const recordingKeys = 'terminals/'
type Of = { account_id: string; id: string }
export const recordingKey = ({ account_id, id }: Of): string => `${recordingKeys}${account_id}/${id}.cast`
/** While it is written. */
export const recordingDraft = ({ id }: Pick<Of, 'id'>): string => `terminal.${id}`

export function sessionOf(key: string): Of | null {
  const [, account_id, id] = /^terminals\/([^/]+)\/([^/]+)\.cast$/.exec(key) ?? []
  return account_id && id ? { account_id, id } : null
}
