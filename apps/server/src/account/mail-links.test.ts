import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { changeEmail, changePassword, requestPasswordReset } from '@masthead/contract/account/security-operations'
import { updateInvitation } from '@masthead/contract/teams/operations'
import { openHouse } from '@masthead/testkit/house'
import { newPerson, password } from './test-person.ts'

const consoleDir = mkdtempSync(join(tmpdir(), 'masthead-console-'))
afterAll(() => rmSync(consoleDir, { recursive: true }))

test.each([
  ['hash', '', 'https://console.example.test/#'],
  ['history', '<meta name="masthead-router" content="history">', 'https://console.example.test'],
])('every mail leads to its screen in a console built for %s addresses', async (_, head, start) => {
  writeFileSync(join(consoleDir, 'index.html'), `<!doctype html><head>${head}</head>`)
  await using house = await openHouse({ config: { consoleDir, publicUrl: 'https://console.example.test' } })
  const person = await newPerson(house)
  const [moved, invited] = ['moved@example.test', 'invited@example.test']
  await house.anyone.call(requestPasswordReset, { body: { email: person.email } })
  await person.call(changeEmail, { body: { email: moved, password } })
  await person.call(updateInvitation, { body: { email: invited, permissions: ['assets.view'], tags: [] } })
  await person.call(changePassword, { body: { password, new_password: 'nine lanterns under the pier' } })
  await house.settle()
  const linksTo = async (email: string) =>
    (await house.mails(email))
      .flatMap(({ text }) => text.match(/https?:\S+/g) ?? [])
      .map((link) => link.replace(/(token|proof)=[\w-]+/, '$1='))
  expect(new Set(await linksTo(person.email))).toEqual(
    new Set(['/profile', '/forgot-password', '/reset-password?token='].map((path) => start + path))
  )
  expect(await linksTo(moved)).toEqual([`${start}/confirm-email?token=`])
  const links = await linksTo(invited)
  expect(links.length).toBeGreaterThan(0)
  for (const link of links) {
    expect(link.startsWith(`${start}/`), link).toBe(true)
    expect(link.includes('#'), link).toBe(start.includes('#'))
  }
})
