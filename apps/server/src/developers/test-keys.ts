import type { ApiKeyOnce, CreateApiKeyBody } from '@masthead/contract/developers/api-key'
import { createApiKey } from '@masthead/contract/developers/operations'
import type { Input, Operation } from '@masthead/contract/kernel/operation'
import type { House, Person } from '@masthead/testkit/house'
import type * as z from 'zod/mini'

export type Keyed = ApiKeyOnce & { call: <Op extends Operation>(op: Op, input?: Input<Op>) => ReturnType<House['anyone']['call']> }

/** A program with a key of somebody's making. */
export async function newKey(
  house: House,
  maker: Person,
  scopes: string[],
  more: Partial<z.input<typeof CreateApiKeyBody>> = {}
): Promise<Keyed> {
  const made = await maker.call(createApiKey, { body: { name: 'Fleet sync', scopes: scopes as never, ...more } })
  if (made.status !== 200) throw new Error(made.text)
  return { ...made.body, call: (op, input) => withKey(house, made.body.secret).call(op, input) }
}

/** Calls with a secret. */
export const withKey = (house: House, secret: string) => ({
  call: <Op extends Operation>(op: Op, input?: Input<Op>, headers: Record<string, string> = {}) =>
    house.anyone.call(op, input as never, { 'x-api-key': secret, ...headers }),
})
