import * as z from 'zod/mini'
import { en } from 'zod/locales'

z.config(en())

type Issue = { path: PropertyKey[]; message: string; code?: string; keys?: string[] }

/** The wrong fields of a body or query, by dotted path, in words. */
export function fieldsOf(error: { issues: readonly Issue[] }): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.map(String).join('.') || 'body'] ??= wordsOf(issue)
  return fields
}

const wordsOf = ({ message }: Issue) => (/received undefined/.test(message) ? 'This is needed' : message)
