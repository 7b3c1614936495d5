import { expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { openHouse } from '@masthead/testkit/house'

test('an account says whether it is suspended and what is switched on, to its owner and to its members', async () => {
  await using house = await openHouse()
  const owner = await house.newOwner('Acme')
  const member = await house.newMember(owner, [])
  const account = {
    id: owner.account_id,
    email: owner.email,
    team_name: 'Acme',
    suspended: false,
    currency: 'USD',
    timezone: 'UTC',
    feature_flags: { network_groups: true },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  }
  expect((await owner.call(getAccount)).body).toEqual(account)
  await house.db
    .updateTable('account')
    .set({ suspended_at: house.clock.now(), suspended_reason: 'unpaid', feature_flags: JSON.stringify({ network_groups: false }) })
    .where('id', '=', owner.account_id)
    .execute()
  expect((await member.call(getAccount)).body).toEqual({ ...account, suspended: true, feature_flags: { network_groups: false } })
})
