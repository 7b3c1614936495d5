import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import {
  isNothing,
  isWrite,
  keyScopeOf,
  needsNoPermission,
  type FieldErrors,
  type Operation,
  type Parsed,
  type Reply,
} from '@masthead/contract/kernel/operation'
import { isStaff, isStaffPermission } from '@masthead/contract/kernel/permission'
import {
  accountClosed,
  backofficeTokenNeeded,
  forbidden,
  invalidRequest,
  Problem,
  secondFactorDemanded,
  sessionNeeded,
  unauthenticated,
  viewOnly,
} from '@masthead/contract/kernel/problem'
import { strict } from '@masthead/contract/kernel/strict'
import * as z from 'zod/mini'
import { actorMay, type Actor, type App, type ReadDb, type Tx } from '../app.ts'
import type { Config } from '../config.ts'
import { fieldErrorOf, fieldsOf } from './field-words.ts'
import type { Sees } from './kept-answer.ts'
import { once, repeatKey, repeatsKeyName } from './idempotency.ts'
import { makeSigningKeyEarly } from '../secrets/signing-key.ts'
import { rightsCheck, whileAllowed } from '../live/streams.ts'
import { noteAsker } from './request-log.ts'
import { serializeByKey } from './concurrency.ts'

type Call<Op extends Operation> = Parsed<Op> & { actor: Actor }
type Answered<Op extends Operation> = Reply<Op> extends undefined ? void : Reply<Op>
/** What `reach` handlers get beside: the raw request for headers and streamed bodies, the reply for cookies. */
type Outside = { app: App; request: FastifyRequest; reply: FastifyReply; stillAllowed: () => Promise<boolean> }
export type Answer = (outside: Outside, call: never) => Promise<unknown>
export type Route = { op: Operation; answer: Answer }

/** Answers without changing anything: its sessions are read-only in the database. */
export const read = <Op extends Operation>(
  op: Op,
  handler: (call: Call<Op> & { db: ReadDb; config: Config }) => Promise<Answered<Op>>
): Route => ({
  op,
  answer: async ({ app }, call: Call<Op>) => parseReply(op.reply, await handler({ ...call, db: app.db, config: app.config })),
})

/**
 * Answers with text in pieces, as they come (CSV, lines of JSON). The reader sets the pace. `fileName` is what it is kept as; the end of the path unless said.
 * `before` may refuse: once the first piece is there an answer has begun.
 */
export const stream = <Op extends Operation>(
  op: Op,
  handler: (call: Call<Op> & { db: ReadDb; app: App }) => AsyncIterable<string>,
  fileName: (call: Call<Op>) => string = () => op.path.split('/').at(-1)!,
  before?: (call: Call<Op> & { db: ReadDb }) => Promise<unknown>
): Route => ({
  op,
  answer: async ({ app, reply, stillAllowed }, call: Call<Op>) => {
    await before?.({ ...call, db: app.db })
    void reply
      .type(op.gives === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileName(call)}"`)
    return Readable.from(whileAllowed(handler({ ...call, db: app.db, app }), stillAllowed))
  },
})

/** Answers with a file, whose headers the handler sets. Rights that are taken away meanwhile cut it off. */
export const file = <Op extends Operation>(op: Op, handler: (call: Call<Op> & Outside) => Promise<Readable>): Route => ({
  op,
  answer: async (outside, call: Call<Op>) => {
    const bytes = await handler({ ...call, ...outside })
    return op.access === 'public' ? bytes : Readable.from(whileAllowed<Uint8Array>(bytes, outside.stillAllowed), { objectMode: false })
  },
})

/** Changes the database in one transaction. The outside world is out of reach: effects notify it, after the commit. */
export const write = <Op extends Operation>(
  op: Op,
  handler: (call: Call<Op> & { db: Tx; config: Config }) => Promise<Answered<Op>>
): Route => ({
  op,
  // The reply is parsed before the commit, so a wrong answer changes nothing.
  answer: ({ app, request }, call: Call<Op>) =>
    app.db
      .transaction()
      .execute((db) =>
        once(db, call.actor, request, op, async () => parseReply(op.reply, await handler({ ...call, db, config: app.config })))
      ),
})

/**
 * The few that must wait for the outside world, touch the session, or write down that somebody looked: sign-in, uploads, what staff see of
 * customers. They see to repeated requests themselves.
 */
export const reach = <Op extends Operation>(op: Op, handler: (call: Call<Op> & Outside) => Promise<Answered<Op>>): Route => ({
  op,
  answer: async (outside, call: Call<Op>) => parseReply(op.reply, await handler({ ...call, ...outside })),
})

const compiledSchemas = new WeakMap<z.ZodMiniType, z.ZodMiniType>()

/** The schema as generated code, which takes a tenth of the time; made when it is first needed. The words for what does not fit come from the schema itself. */
function compiled(schema: z.ZodMiniType): z.ZodMiniType {
  const known = compiledSchemas.get(schema) ?? z.compile(schema)
  compiledSchemas.set(schema, known)
  return known
}

const parseReply = (schema: z.ZodMiniType, value: unknown) => (isNothing(schema) ? {} : compiled(schema).parse(value))

/** Whether there is a NUL or half a character in a text: the database takes neither, and an answer in pieces would have begun by then. */
const isUnstorable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0') || !value.isWellFormed()
    : typeof value === 'object' && value !== null && Object.values(value).some(isUnstorable)

const strictSchemas = new WeakMap<z.ZodMiniType, z.ZodMiniType>()

/** What a body or query may be: fields that it does not name are refused, nested ones too. */
function accepting(schema: z.ZodMiniType): z.ZodMiniType {
  const known = strictSchemas.get(schema) ?? strict(schema)
  strictSchemas.set(schema, known)
  return compiled(known)
}

const nothingAtAll = z.object({})

/** A call that takes no body or no query is sent none, or an empty one. */
function parseInput(schema: z.ZodMiniType, value: unknown, errors: FieldErrors = {}) {
  if (value instanceof Readable) throw new Problem(invalidRequest, 'Send JSON, with the header Content-Type: application/json')
  const result = accepting(isNothing(schema) ? nothingAtAll : schema).safeParse(value ?? {})
  if (result.success) {
    if (isUnstorable(result.data)) throw new Problem(invalidRequest, 'The request contains a character that cannot be stored')
    return isNothing(schema) ? undefined : result.data
  }
  const fields = fieldsOf(result.error)
  const error = fieldErrorOf(errors, fields, value)
  throw new Problem({ ...invalidRequest, ...(error !== undefined && { error }) }, [...new Set(Object.values(fields))].join('. '), {
    fields,
  })
}

/** A file is read from the request as it comes, so that its size does not matter. */
function needStream(body: unknown, takes: 'csv' | 'file'): undefined {
  if (body instanceof Readable) return
  const wanted =
    takes === 'csv'
      ? 'Send CSV, with the header Content-Type: text/csv'
      : 'Send the file as it is, with the header Content-Type: application/octet-stream'
  throw new Problem(invalidRequest, wanted)
}

/** The body of a request that brought a file. */
export const streamOf = (body: unknown) => body as Readable

/** Staff calls ask for two factors themselves. */
const asksForFactor = ({ access }: Operation) => access !== 'self' && !isStaffPermission(access)
const unproved = 'This account requires a second factor, and you signed in without yours. Verify it on the profile of your own account'

/** Checks who calls before looking at what they sent: access is decided without touching the handler. */
function checkAccess(op: Operation, actor: Actor | null): asserts actor is Actor {
  if (op.access === 'public') return
  if (!actor) throw new Problem(unauthenticated)
  if (actor.kind === 'api_key') {
    const scope = keyScopeOf(op)
    if (scope === null) throw new Problem(isStaffPermission(op.access) ? backofficeTokenNeeded : sessionNeeded)
    if (scope !== 'any' && !actorMay(actor, scope)) throw new Problem(forbidden, `This API key needs the scope ${scope} for this`)
    return
  }
  // Staff looking at a customer's account: only mount makes others staff, later.
  if (actor.kind === 'staff' && isWrite(op) && !op.whileViewing) throw new Problem(viewOnly)
  if (actor.lacks_factor && asksForFactor(op))
    throw new Problem(secondFactorDemanded, actor.lacks_factor === 'unproved' ? unproved : undefined)
  if (needsNoPermission(op.access)) return
  if (isStaffPermission(op.access)) {
    if (!isStaff(actor.staff)) throw new Problem(backofficeTokenNeeded)
    if (!actor.staff.includes(op.access)) throw new Problem(forbidden)
  } else if (!actorMay(actor, op.access)) throw new Problem(forbidden)
  else if (actor.closed && isWrite(op)) throw new Problem(accountClosed)
}

export type Authenticate = (app: App, request: FastifyRequest) => Promise<Actor | null>

/** What was answered to a call that cannot be asked again with what it was asked with. */
export type AnswerAgain = (outside: Omit<Outside, 'stillAllowed'>, op: Operation) => Promise<unknown>

/** Who asks when nobody is signed in: public calls still say when and from where. */
export const nobody = (app: App, request: FastifyRequest): Actor => ({
  kind: 'member',
  email: '',
  person_id: '',
  account_id: '',
  permissions: [],
  staff: [],
  tags: [],
  at: app.clock.now(),
  ip: request.ip,
  request_id: request.id,
})

/** What areas know of callers, given where routes are assembled. */
export type Callers = { authenticate: Authenticate; answerAgain?: AnswerAgain; sees: Sees }

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: string
    write?: boolean
    upload?: boolean
    /** Of every call. */
    sees?: Sees
  }
}

/** Puts routes on the server: who may call, what is accepted, what is answered. */
export function mount(server: FastifyInstance, app: App, routes: readonly Route[], { authenticate, answerAgain, sees }: Callers) {
  makeSigningKeyEarly(server, app, repeatsKeyName)
  // Repeated requests wait here for the first: each is compared when that is answered, and holds no connection to the database meanwhile.
  const serialized = serializeByKey()
  for (const { op, answer } of routes) {
    const serve = async (request: FastifyRequest, reply: FastifyReply) => {
      const again = op.spends && (await answerAgain?.({ app, request, reply }, op))
      if (again !== undefined) return again
      const actor = op.access === 'public' ? nobody(app, request) : await authenticate(app, request)
      if (actor && op.access !== 'public') noteAsker(request, actor)
      checkAccess(op, actor)
      const call = {
        // What somebody does as staff is told apart from what they do as a customer.
        actor: isStaffPermission(op.access) ? { ...actor, kind: 'staff' as const } : actor,
        params: request.params,
        query: parseInput(op.query, request.query),
        body: op.takes !== 'json' ? needStream(request.body, op.takes) : parseInput(op.body, request.body, op.fieldErrors),
      }
      return answer({ app, request, reply, stillAllowed: rightsCheck(app, request, authenticate, actor) }, call as never)
    }
    server.route({
      method: op.method,
      url: `/v1${op.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      config: { operation: op.name, write: isWrite(op), upload: op.takes !== 'json', sees },
      handler: (request, reply) => {
        const given = isWrite(op) ? repeatKey(request) : undefined
        return given === undefined ? serve(request, reply) : serialized(`${op.name} ${request.ip} ${given}`, () => serve(request, reply))
      },
    })
  }
}
