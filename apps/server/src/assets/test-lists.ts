import { listAssets } from '@masthead/contract/assets/operations'
import type { Person } from '@masthead/testkit/house'
import { expect } from 'vitest'

export type Query = NonNullable<Parameters<Person['call']>[1]>['query']

/** A page of a person's assets, which they must get. */
export async function list(person: Person, query: Query = {}) {
  const { status, body, text } = await person.call(listAssets, { query: query as never })
  expect(status, text).toBe(200)
  return body
}
