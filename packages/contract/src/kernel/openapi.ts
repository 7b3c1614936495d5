import * as z from 'zod/mini'
import { Bytes } from './fields.ts'
import { areaOf, isNothing, isWrite, keyScopeOf, needsNoPermission, sentTypes, type FieldErrors, type Operation } from './operation.ts'
import { isPermission, isStaffPermission } from './permission.ts'
import {
  accountClosed,
  backofficeTokenNeeded,
  forbidden,
  idempotencyMismatch,
  invalidRequest,
  secondFactorDemanded,
  sessionNeeded,
  tooManyRequests,
  unauthenticated,
  type ProblemKind,
} from './problem.ts'
import { strict } from './strict.ts'

type Json = Record<string, unknown>

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _version, ...json } = z.toJSONSchema(io === 'input' ? strict(schema) : schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === (Bytes as unknown)) Object.assign(jsonSchema, { type: 'integer', format: 'int64' })
    },
  }) as Json
  return json
}

function parametersOf(op: Operation): Json[] {
  const path = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {}, required = [] } = (isNothing(op.query) ? {} : schemaOf(op.query, 'input')) as {
    properties?: Json
    required?: string[]
  }
  const query = Object.entries(properties).map(([name, schema]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    schema,
  }))
  const token = isStaffCall(op) ? [{ in: 'header', name: 'X-Backoffice-Token', required: true, schema: { type: 'string' } }] : []
  const ownKey = op.ownKey ? [{ in: 'header', name: op.ownKey, required: true, schema: { type: 'string' } }] : []
  const key = isWrite(op)
    ? [
        {
          in: 'header',
          name: 'Idempotency-Key',
          required: false,
          schema: { type: 'string', maxLength: 200 },
        },
      ]
    : []
  return [...path, ...query, ...key, ...token, ...ownKey]
}

const isStaffCall = ({ access }: Operation) => isStaffPermission(access)

const media = { ...sentTypes, ndjson: 'application/x-ndjson', events: 'text/event-stream' } as const

/** What is wrong with single fields, where that has a name. */
const mistakesOf = ({ missing = {}, wrong = {} }: FieldErrors = {}): ProblemKind[] => [
  ...Object.entries(missing).map(([field, error]) => ({ ...invalidRequest, error, title: `Nothing is given as ${field}` })),
  ...Object.entries(wrong).map(([field, error]) => ({ ...invalidRequest, error, title: `What is given as ${field} is not valid` })),
]

/** The problems a call can answer with: the declared ones, and those of every call of its kind. */
function problemsOf(op: Operation): ProblemKind[] {
  const general: ProblemKind[] = [
    ...(isNothing(op.query) && isNothing(op.body) ? [] : [invalidRequest]),
    ...mistakesOf(op.fieldErrors),
    ...(op.access === 'public' ? [] : [unauthenticated]),
    ...(op.access === 'public' || needsNoPermission(op.access) ? [] : [forbidden]),
    ...(isPermission(op.access) ? [secondFactorDemanded] : []),
    ...(isPermission(op.access) && isWrite(op) ? [accountClosed] : []),
    ...(isStaffCall(op) ? [backofficeTokenNeeded] : []),
    ...(keyScopeOf(op) ? [tooManyRequests] : op.access === 'public' || isStaffCall(op) ? [] : [sessionNeeded]),
    ...(isWrite(op) ? [idempotencyMismatch] : []),
  ]
  return [...new Map([...general, ...op.problems].map((kind) => [`${kind.code} ${kind.error}`, kind])).values()]
}

function responsesOf(op: Operation): Json {
  const done = isNothing(op.reply)
    ? op.gives === 'json'
      ? {}
      : { content: { [media[op.gives]]: { schema: { type: 'string' } } } }
    : { content: { [media[op.gives]]: { schema: schemaOf(op.reply, 'output') } } }
  const failed = Object.entries(Object.groupBy(problemsOf(op), (kind) => kind.status)).map(([status, kinds]) => [
    status,
    {
      description: kinds!.map(({ code, error, title }) => `\`${code}\`${error ? ` (\`${error}\`)` : ''}: ${title}`).join(' · '),
      content: {
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    },
  ])
  return { 200: { description: 'Done', ...done }, ...Object.fromEntries(failed) }
}

const problemSchema = {
  type: 'object',
  required: ['code', 'title', 'detail', 'message', 'request_id'],
  properties: {
    code: { type: 'string', description: 'For programs' },
    error: { type: 'string', description: 'Of calls for devices: the name that programs for these devices know it by, where it has one' },
    title: { type: 'string' },
    detail: { type: 'string', description: 'For people' },
    message: { type: 'string', description: 'The same as detail' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Wrong fields, in words, by dotted path',
    },
    request_id: { type: 'string' },
  },
}

/** Who may call, in words. */
function whoMayCall(op: Operation): string {
  const scope = keyScopeOf(op)
  const people =
    op.access === 'public'
      ? op.ownKey
        ? `For whoever has the key that ${op.ownKey} asks for, signed in or not.`
        : 'Anybody may call it, signed in or not.'
      : op.access === 'self'
        ? 'For whoever is signed in, about themselves.'
        : op.access === 'signed_in'
          ? 'For whoever is signed in, about the account they act on.'
          : isStaffCall(op)
            ? `For staff with the permission ${op.access}.`
            : `Needs the permission ${op.access}.`
  if (op.access === 'public') return people
  return `${people} ${scope ? (scope === 'any' ? 'Any API key may call it.' : `An API key needs the scope ${scope}.`) : 'Not for API keys.'}`
}

/** The public API document, made from the same operations the console and the server import. `root`: where the calls stand on the host that is asked. */
export function openapi(
  operations: readonly Operation[],
  { root = '/v1', ...about }: { title: string; version: string; description: string; root?: string }
): Json {
  const paths: Record<string, Json> = {}
  for (const op of operations) {
    const item = (paths[op.path] ??= {})
    const scope = keyScopeOf(op)
    item[op.method.toLowerCase()] = {
      operationId: op.name,
      tags: [areaOf(op)],
      summary: op.summary,
      description: whoMayCall(op),
      'x-access': op.access,
      security: op.access === 'public' ? [] : [{ session: [] }, ...(scope ? [{ api_key: [] }] : [])],
      ...(scope && scope !== 'any' && { 'x-key-scope': scope }),
      parameters: parametersOf(op),
      ...(!(isNothing(op.body) && op.takes === 'json') && {
        requestBody: {
          required: true,
          content: { [media[op.takes]]: { schema: op.takes === 'json' ? schemaOf(op.body, 'input') : { type: 'string' } } },
        },
      }),
      responses: responsesOf(op),
    }
  }
  return {
    openapi: '3.1.0',
    info: { ...about, contact: { name: 'Whoever runs this installation' } },
    servers: [{ url: root }],
    tags: [...new Set(operations.map(areaOf))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'masthead_session',
          description: 'What a sign-in brings. Under TLS its name is `__Host-masthead_session`',
        },
        api_key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'A key created under Developer Tools; it needs the scope in x-key-scope',
        },
      },
    },
  }
}
