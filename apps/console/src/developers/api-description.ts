/** What of OpenAPI 3.1 our own description uses. */
export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
  format?: string
  minimum?: number
  [more: string]: unknown
}
type Content = Record<string, { schema: Schema }>
export type Parameter = { in: 'path' | 'query' | 'header'; name: string; required: boolean; schema: Schema }
type Described = {
  operationId: string
  tags: string[]
  summary: string
  security: Record<string, unknown>[]
  'x-access': string
  'x-key-scope'?: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
export type Call = Described & { method: string; path: string }
export type ApiDescription = { info: { title: string; description: string }; paths: Record<string, Record<string, Described>> }

/** Every call, in the order of the description. */
export const callsOf = ({ paths }: ApiDescription): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, path, method: method.toUpperCase() }))
  )

export const takesKey = (call: Call) => call.security.some((way) => 'api_key' in way)

/** Who may make a call, in words. */
export function accessWords(call: Call): string {
  if (call['x-access'] === 'public') return 'Anybody, without signing in.'
  const scope = call['x-key-scope']
  if (takesKey(call)) return scope ? `A session, or an API key with the scope ${scope}.` : 'A session, or any API key.'
  if (call['x-access'] === 'signed_in' || call['x-access'] === 'self') return 'A session of the console. No API key.'
  if (call.parameters.some(({ name }) => name === 'X-Backoffice-Token')) return 'Support staff, with a backoffice token.'
  return `A session of somebody with the permission ${call['x-access']}. No API key.`
}

/** A value of a schema to begin with: its default, its first choice, or the smallest thing of its kind. Of an object what is required. */
export function exampleOf(schema: Schema): unknown {
  if ('default' in schema) return schema.default
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return exampleOf(choice)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, of]) => [name, exampleOf(of)])
    )
  if (type === 'array') return schema.items && schema.minItems ? [exampleOf(schema.items)] : []
  if (type === 'integer' || type === 'number') return Math.max(0, schema.minimum ?? 0)
  if (type === 'boolean') return false
  if (type === 'null') return null
  return schema.format === 'date-time' ? new Date(0).toISOString() : ''
}

/** The kind of a value, in a word or two. */
export function kindWords(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(kindWords))].join(' or ')
  if (schema.enum) return schema.enum.map(String).join(', ')
  if ('const' in schema) return String(schema.const)
  if (schema.type === 'array') return `list of ${schema.items ? kindWords(schema.items) : 'anything'}`
  if (schema.format === 'date-time') return 'time'
  return [schema.type ?? 'anything'].flat().join(' or ')
}
