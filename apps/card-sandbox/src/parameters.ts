import qs from 'qs'
import { invalid } from './refusal.ts'

/** What was posted as a form, with brackets for what is in something. */
export type Parameters = { [name: string]: unknown }

export const readForm = (body: string): Parameters =>
  qs.parse(body, { depth: 6, parameterLimit: 1000, plainObjects: true, ignoreQueryPrefix: true })

export const textOf = (given: Parameters, name: string): string | null => {
  const value = given[name]
  if (value === undefined || value === '') return null
  if (typeof value !== 'string') throw invalid(`Invalid string: ${name}`, name)
  return value
}

export const wholeOf = (given: Parameters, name: string): number | null => {
  const text = textOf(given, name)
  if (text === null) return null
  if (!/^\d{1,12}$/.test(text)) throw invalid(`Invalid integer: ${text}`, name)
  return Number(text)
}

export const partOf = (given: Parameters, name: string): Parameters => {
  const value = given[name]
  if (value === undefined || value === '') return {}
  if (typeof value !== 'object' || value === null) throw invalid(`Invalid object: ${name}`, name)
  return value as Parameters
}

export const metadataOf = (given: Parameters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(partOf(given, 'metadata')).flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : []))
  )

export const needed = <Value>(value: Value | null, name: string): Value => {
  if (value === null) throw invalid(`Missing required param: ${name}.`, name)
  return value
}
