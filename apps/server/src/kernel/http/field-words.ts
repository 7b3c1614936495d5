import type { FieldErrors } from '@masthead/contract/kernel/operation'
import * as z from 'zod/mini'
import { en } from 'zod/locales'

z.config(en())

type Issue = {
  path: PropertyKey[]
  message: string
  code?: string
  expected?: string
  values?: readonly unknown[]
  origin?: string
  inclusive?: boolean
  minimum?: number | bigint
  maximum?: number | bigint
  keys?: readonly string[]
}

/** No more wrong fields are named, because a body of a megabyte may have some hundred thousand. */
const mostReported = 50

/** The wrong fields of a body or query, by dotted path, in words. */
export function fieldsOf(error: { issues: readonly Issue[] }): Record<string, string> {
  // A map: a field may be called like something that every object has.
  const fields = new Map<string, string>()
  const say = (path: readonly PropertyKey[], words: string) => {
    const field = path.map(String).join('.') || 'body'
    if (!fields.has(field)) fields.set(field, words)
  }
  for (const issue of error.issues) {
    if (fields.size >= mostReported) break
    if (issue.code === 'unrecognized_keys')
      for (const key of (issue.keys ?? []).slice(0, mostReported - fields.size)) say([...issue.path, key.slice(0, 60)], unknownField(key))
    else say(issue.path, wordsOf(issue))
  }
  return Object.fromEntries(fields)
}

const isNothingGiven = (value: unknown) => value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** The name that a call has for one of its wrong fields; undefined: for none. */
export function fieldErrorOf({ missing = {}, wrong = {} }: FieldErrors, fields: Record<string, string>, body: unknown): string | undefined {
  const given = body as Record<string, unknown> | undefined
  const named = new Set(Object.keys(fields).map((path) => path.replaceAll(/\.\d+/g, '')))
  const isMissing = (field: string) => named.has(field) && isNothingGiven(given?.[field])
  return (Object.entries(missing).find(([field]) => isMissing(field)) ?? Object.entries(wrong).find(([field]) => named.has(field)))?.[1]
}

/** Said of a field that a call does not take. */
const unknownField = (name: string) => `Unknown field “${name.slice(0, 60)}”`

const kinds: Record<string, string> = {
  string: 'Give a text',
  number: 'Give a number',
  int: 'Give a whole number',
  boolean: 'Give true or false',
  array: 'Give a list',
  object: 'Give an object',
}

/** Operations have words for what people get wrong; the library's own are for programmers, and are said again here. */
function wordsOf({ message, code, expected = '', values, origin, inclusive = true, minimum, maximum }: Issue): string {
  if (/received undefined/.test(message)) return 'This is required'
  if (!/^(Too (small|big): |Invalid (input|option): )/.test(message)) return message
  if (code === 'invalid_type') return kinds[expected] ?? message
  if (code === 'invalid_value' && values)
    return values.length === 1 ? `Only ${values.join()} is known here` : `Choose one of ${values.join(', ')}`
  const [least, most] = inclusive ? ['at least', 'at most'] : ['more than', 'less than']
  const bound = code === 'too_small' ? `${least} ${minimum}` : code === 'too_big' ? `${most} ${maximum}` : null
  if (bound === null) return message
  return origin === 'string' ? `Use ${bound} characters` : `Give ${bound}`
}
