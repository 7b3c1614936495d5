import type * as z from 'zod/mini'
import type { Area } from './live.ts'
import { isPermission, type Permission, type StaffPermission } from './permission.ts'
import type { ProblemKind } from './problem.ts'

type Schema = z.ZodMiniType

/**
 * Who may call: anybody; whoever is signed in, about themselves (`self`) or about the account they act on (`signed_in`); or who holds a
 * permission. An account that demands a second factor keeps out who lacks theirs, but for what is `self`. A staff permission also asks for
 * a valid `X-Backoffice-Token`.
 */
export type Access = 'public' | 'self' | 'signed_in' | Permission | StaffPermission

/** Whether somebody needs no permission beyond being signed in. */
export const needsNoPermission = (access: Access): access is 'self' | 'signed_in' => access === 'self' || access === 'signed_in'

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never
type Params<Path extends string> = { [Name in ParamNames<Path>]: string }

/**
 * Names of what is wrong in a body, by field. `missing`: nothing, or nothing but spaces, is given. `wrong`: whatever is wrong with it; without the places in lists, as
 * `ports.host`. The first that fits is said, and of several in that order.
 */
export type FieldErrors = { missing?: Record<string, string>; wrong?: Record<string, string> }

export type Operation<
  Path extends string = string,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  Allowed extends Access = Access,
> = {
  /** `area.verbNoun`, the same area as the permission, the folder and the events. */
  name: `${Area}.${string}`
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: Path
  summary: string
  access: Allowed
  query: Query
  body: Body
  reply: Reply
  problems: readonly ProblemKind[]
  /** `json` unless said otherwise; a `csv`, `file` or reply of CSV is streamed. A `file` is of a kind that its summary says. */
  takes: 'json' | 'csv' | 'file'
  /** A `file` is of whatever type it was made. */
  gives: 'json' | 'csv' | 'ndjson' | 'events' | 'file'
  /** Whether an API key may call: unless said otherwise it may where a permission of the account is asked for (its scope). A permission: the scope a key needs where people need none. */
  keys?: boolean | Permission
  /** Staff who look at a customer's account may call it although it changes something. */
  whileViewing?: boolean
  /** It may end the session or key that it is called with, which is no reason to refuse it. */
  endsCaller?: boolean
  /** The reply shows a secret once: what is kept of it for a repeated request is encrypted. */
  encryptsReply?: boolean
  /**
   * What it is asked with is worth less by it, or nothing: the session's cookie, the one of a half sign-in, or a passkey's answer. A repetition
   * with the same Idempotency-Key is known by that, and answered like the first.
   */
  spends?: 'session' | 'step' | 'passkey'
  /** The header with a key of its own that a public call asks for. */
  ownKey?: string
  /** How programs for these devices know what is wrong in the body. */
  fieldErrors?: FieldErrors
}

/** The Content-Type of what a call is sent. */
export const sentTypes = { json: 'application/json', csv: 'text/csv', file: 'application/octet-stream' } as const satisfies Record<
  Operation['takes'],
  string
>

type Nothing = z.ZodMiniUndefined
/** No schema at all, so that the console's start needs none of Zod. */
const nothing = undefined

/** One promise between the console and the server: both sides import this very object. */
export function operation<
  const Path extends string,
  Query extends Schema = Nothing,
  Body extends Schema = Nothing,
  Reply extends Schema = Nothing,
  const Allowed extends Access = Access,
>(
  promise: Pick<Operation<Path>, 'name' | 'method' | 'path' | 'summary'> & {
    access: Allowed
    query?: Query
    body?: Body
    reply?: Reply
    problems?: readonly ProblemKind[]
    takes?: Operation['takes']
    gives?: Operation['gives']
    keys?: boolean | Permission
    whileViewing?: boolean
    endsCaller?: boolean
    encryptsReply?: boolean
    spends?: Operation['spends']
    ownKey?: string
    fieldErrors?: FieldErrors
  }
): Operation<Path, Query, Body, Reply, Allowed> {
  const defaults = {
    query: nothing,
    body: nothing,
    reply: nothing,
    problems: [],
    takes: 'json',
    gives: 'json',
  }
  return { ...defaults, ...promise } as unknown as Operation<Path, Query, Body, Reply, Allowed>
}

export const areaOf = (op: Pick<Operation, 'name'>) => op.name.split('.')[0] as Area
export const isNothing = (schema: Schema | undefined) => schema === nothing
export const isWrite = (op: Pick<Operation, 'method'>) => op.method !== 'GET'

/** What a key must hold to call: a scope, nothing (`any`), or it cannot (`null`): a session is needed. */
export function keyScopeOf({ access, keys }: Pick<Operation, 'access' | 'keys'>): Permission | 'any' | null {
  if (keys === false || access === 'public') return null
  if (isPermission(access)) return access
  if (typeof keys === 'string') return keys
  return keys && needsNoPermission(access) ? 'any' : null
}

/** The address of a call below the API root, its `{params}` filled in. */
export const pathOf = (op: Pick<Operation, 'path'>, params: Record<string, string> = {}) =>
  op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

type Given<Key extends string, T> = undefined extends T
  ? { [K in Key]?: T }
  : Record<never, never> extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T }

/** What the caller passes in. */
export type Input<Op extends Operation> = ([keyof Params<Op['path']>] extends [never]
  ? { params?: undefined }
  : { params: Params<Op['path']> }) &
  Given<'query', z.input<Op['query']>> &
  Given<'body', z.input<Op['body']>>

/** What the handler receives: parsed, defaults filled in. */
export type Parsed<Op extends Operation> = {
  params: Params<Op['path']>
  query: z.output<Op['query']>
  body: z.output<Op['body']>
}

export type Reply<Op extends Operation> = z.output<Op['reply']>
