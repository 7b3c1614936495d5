import { createApiKey } from '@masthead/contract/developers/operations'
import { listTags } from '@masthead/contract/tags/operations'
import { openHouse } from '@masthead/testkit/house'
import { setup } from '../tools/test-cluster.ts'

// What it costs a call to ask who calls and what they may: by a session, by a session that acts for an owner, by an API key. The reference
// is the same call on the same database in the same run, with an answer ready in place of the question. Rounds take turns, so that whatever
// else the machine does falls on all alike.

const rounds = 300
const warmUp = 60
const limitMs = 1

const stop = await setup()
const house = await openHouse()
try {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view'])
  const made = await owner.call(createApiKey, { body: { name: 'bench', scopes: ['assets.view'], calls_per_minute: 6000 } })
  const known = {
    kind: 'member' as const,
    email: owner.email,
    person_id: 'usr_known',
    account_id: owner.account_id,
    permissions: 'all' as const,
    staff: [],
    tags: [],
    at: house.clock.now(),
    ip: null,
    request_id: null,
  }
  await using unasked = await openHouse({ authenticate: async () => known })
  // The same tables, empty for everybody: what is read is the same.
  const ways = {
    reference: () => unasked.anyone.call(listTags),
    session: () => owner.call(listTags),
    acting: () => member.call(listTags),
    api_key: () => house.anyone.call(listTags, {}, { 'x-api-key': made.body.secret }),
  }
  type Way = keyof typeof ways
  const taken = Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]])) as Record<Way, number[]>
  for (let round = -warmUp; round < rounds; round++)
    for (const [way, call] of Object.entries(ways)) {
      const begun = performance.now()
      const { status, text } = await call()
      if (status !== 200) throw new Error(`${way}: ${text}`)
      if (round >= 0) taken[way as Way].push(performance.now() - begun)
    }
  // The median is the figure; the tenth part, which a busy machine disturbs least, stands beside it.
  const part = (numbers: number[], of: number) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * of)]!
  const added = (of: number) => {
    const more = (way: Way) => Number((part(taken[way], of) - part(taken.reference, of)).toFixed(3))
    return {
      reference_ms: Number(part(taken.reference, of).toFixed(3)),
      session: more('session'),
      acting: more('acting'),
      api_key: more('api_key'),
    }
  }
  const [added_ms, quiet_ms] = [added(0.5), added(0.1)]
  const most = Math.max(added_ms.session, added_ms.acting, added_ms.api_key)
  console.log(
    JSON.stringify({
      figure: 'permission-check',
      added_ms,
      quiet_ms,
      limit_ms: limitMs,
      rounds,
      ratio: Number((most / limitMs).toFixed(3)),
    })
  )
} finally {
  await house[Symbol.asyncDispose]()
  await stop()
}
