/**
 * The NOTIFY channel. A payload is `account_id area.what_happened areas,that,show,it`, with a person's id where it concerns them on whatever
 * account, or what ends (`end {…}`).
 */
export const liveChannel = 'masthead_live'

/** The word that begins a notification which ends streams; an account's or person's id begins all others. */
export const endWord = 'end'

/** Whose streams: of a person, where given on one account or of one session alone. */
export type Ending = { person_id: string; account_id?: string; session_id?: string }
