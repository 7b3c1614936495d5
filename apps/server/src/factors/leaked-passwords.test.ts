import { changePassword, requestPasswordReset, resetPassword } from '@masthead/contract/account/security-operations'
import { register } from '@masthead/contract/auth/sign-in-operations'
import { passwordProblem } from '@masthead/contract/auth/password'
import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { newPerson, password, tokenIn } from '../account/test-person.ts'
import { isLeaked } from './leaked-passwords.ts'

test('the commonest leaked passwords are known, in whatever case, and good ones are not', async () => {
  // The last one is at the end of the list.
  for (const leaked of ['4815162342', 'Pianoforte', 'PASSWORD123', '1Q2W3E4R5T', 'Usuckballz1', 'vjht123jltccf'])
    expect(await isLeaked(leaked), leaked).toBe(true)
  for (const good of [password, 'nine lanterns under the pier', 'a'.repeat(200)]) expect(await isLeaked(good), good).toBe(false)
})

test('a leaked password is refused in words wherever one is set, although the browser knows nothing of it', async () => {
  await using house = await openHouse()
  const leaked = 'Pianoforte'
  expect(passwordProblem(leaked)).toBeNull()
  const person = await newPerson(house)
  await house.anyone.call(requestPasswordReset, { body: { email: person.email } })
  await house.settle()
  const token = await tokenIn(house, person.email)
  const refused = (field: string) => ({
    status: 400,
    body: { code: 'invalid_request', fields: { [field]: 'This password is on lists of leaked passwords. Choose another' } },
  })
  const body = { email: 'new@example.test', team_name: 'New', password: leaked }
  expect(await house.anyone.call(register, { body })).toMatchObject(refused('password'))
  expect(await person.call(changePassword, { body: { password, new_password: leaked } })).toMatchObject(refused('new_password'))
  expect(await house.anyone.call(resetPassword, { body: { token, password: leaked } })).toMatchObject(refused('password'))
  // The link still counts.
  expect((await house.anyone.call(resetPassword, { body: { token, password: 'nine lanterns under the pier' } })).status).toBe(200)
})
