import { assetTypes } from '../asset-types.ts'
import { blockCodes, simStates, simStatuses } from '../sim.ts'

/**
 * What a value of a field can be: one of some words, a name, a code of a certain form, an amount of bytes, or a time from now back.
 * `moves`: it changes with every packet, so no index has it.
 */
export type QueryField = { label: string; moves?: true } & (
  | { kind: 'choice'; choices: Record<string, string> }
  | { kind: 'name' }
  | { kind: 'code'; form: RegExp; example: string; kept: (value: string) => string }
  | { kind: 'bytes'; choices?: Record<string, string> }
  | { kind: 'age'; choices?: Record<string, string> }
)

const networkCode = {
  kind: 'code',
  form: /^\d{3}-?\d{2,3}$/,
  example: '260-06',
  kept: (value: string) => `${value.slice(0, 3)}-${value.slice(3).replace('-', '')}`,
} as const

/** What can be asked of assets in one line, as in `country:PL silent:>5d`. */
export const queryFields = {
  type: { label: 'Type', kind: 'choice', choices: assetTypes },
  status: { label: 'SIM status', kind: 'choice', choices: simStatuses },
  state: { label: 'Intended state', kind: 'choice', choices: simStates },
  block: { label: 'Blocked because', kind: 'choice', choices: { any: 'Any reason', ...blockCodes } },
  list: { label: 'Pasted numbers', kind: 'name' },
  tag: { label: 'Tag', kind: 'name' },
  group: { label: 'Network group', kind: 'name' },
  pool: { label: 'Data pool', kind: 'name' },
  fleet: { label: 'Fleet', kind: 'name' },
  limit: { label: 'Data limit', kind: 'bytes', choices: { none: 'None' } },
  usage: { label: 'Usage this month', kind: 'bytes', moves: true },
  silent: { label: 'Silent for', kind: 'age', moves: true },
  seen: { label: 'Last seen', kind: 'age', choices: { never: 'Never' }, moves: true },
  country: { label: 'Country', kind: 'code', form: /^[a-z]{2}$/i, example: 'PL', kept: (value) => value.toUpperCase(), moves: true },
  operator: { label: 'Operator', ...networkCode, moves: true },
  network: { label: 'Last used data on', ...networkCode, moves: true },
  attention: {
    label: 'Needs attention',
    kind: 'choice',
    choices: {
      near_limit: 'Over 80 % of its limit',
      quiet: 'Silent, against its usual',
      refused: 'Refused',
      silent: 'Silent session',
      uncut: 'Session that could not be cut',
      update: 'Last update failed',
    },
    moves: true,
  },
  connection: { label: 'Connection', kind: 'choice', choices: { online: 'Online', offline: 'Not online' }, moves: true },
} as const satisfies Record<string, QueryField>

export type QueryFieldName = keyof typeof queryFields

export const fieldOf = (name: string): QueryField | undefined =>
  Object.hasOwn(queryFields, name) ? queryFields[name as QueryFieldName] : undefined
