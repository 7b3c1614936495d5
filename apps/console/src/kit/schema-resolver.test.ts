import { RegisterBody } from '@masthead/contract/auth/sign-in-operations'
import { expect, test } from 'vitest'
import { schemaResolver } from './schema-resolver.ts'

const check = (values: Record<string, string>, body: Parameters<typeof schemaResolver>[0] = RegisterBody) =>
  schemaResolver(body)(values, undefined, { fields: {}, shouldUseNativeValidation: false })

test('what is right comes out as the schema makes it', async () => {
  expect(await check({ email: ' Ann@X.test ', password: 'nine blue whales', team_name: ' Acme ' })).toEqual({
    values: { email: 'ann@x.test', password: 'nine blue whales', team_name: 'Acme' },
    errors: {},
  })
})

test('every wrong field gets its first message in words', async () => {
  const { errors } = await check({ email: 'ann', password: 'x', team_name: '' })
  expect(errors).toMatchObject({
    email: { message: 'Enter an e-mail address, like name@example.com' },
    team_name: { message: 'Enter the name of your company or team' },
  })
})

test('rules that come with the form check as well; without them the server alone checks', async () => {
  const values = { email: ' Ann@X.test ', password: 'x', team_name: 'Acme' }
  expect(await check(values, () => Promise.resolve(RegisterBody))).toMatchObject({ values: {}, errors: { password: {} } })
  expect(await check(values, () => Promise.reject(new Error('No network')))).toEqual({ values, errors: {} })
})
