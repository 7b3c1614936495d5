import { namesNone, type Quarantined } from '@masthead/contract/backoffice/quarantine-operations'

/** What the usage is called: the number that the gateway named. A packet that names none is of its session’s SIM. */
export const numberOf = ({ identity, session_sim }: Pick<Quarantined, 'identity' | 'session_sim'>): string =>
  identity === namesNone ? (session_sim ?? 'No number') : identity

/** Of a known SIM, by a packet that names no number: it has nothing in common with the others that name none. */
export const isNameless = ({ identity, kind }: Pick<Quarantined, 'identity' | 'kind'>): boolean =>
  kind === 'uncounted' && identity === namesNone
