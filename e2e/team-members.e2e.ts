import type { Browser, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './fixtures.ts'
import { openAccount } from './new-account.ts'

const password = 'correct horse battery'
const menu = (page: Page, email: string) => page.getByRole('button', { name: `Actions for ${email}` })
const row = (page: Page, email: string) =>
  page.getByRole('table', { name: 'Team', exact: true }).getByRole('row').filter({ hasText: email })

/** Somebody with an account of their own in a browser of their own. */
async function newPerson(browser: Browser, team_name: string) {
  const page = await (await browser.newContext()).newPage()
  const email = `${team_name.toLowerCase()}-${Math.random().toString(36).slice(2, 10)}@example.test`
  await openAccount(page, { email, password, team_name })
  return { page, email, [Symbol.asyncDispose]: () => page.context().close() }
}

test('two browsers: invite, accept, switch, take rights away, remove', async ({ browser }) => {
  await using owner = await newPerson(browser, 'Orchard')
  await using guest = await newPerson(browser, 'Guest')

  await owner.page.goto('/#/profile?tab=team')
  await owner.page.getByRole('button', { name: 'Invite somebody' }).click()
  const form = owner.page.getByRole('dialog', { name: 'Invite to the team' })
  await form.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(form.getByText('Enter an e-mail address')).toBeVisible()
  await form.getByLabel('E-mail').fill(guest.email)
  await form.getByRole('radio', { name: /^Operator/ }).check()
  await expect(form.getByRole('checkbox', { name: 'Change assets and their SIMs' })).toBeChecked()
  await expect(form.getByRole('checkbox', { name: 'Add credits and change payment methods' })).not.toBeChecked()
  // Unticking what lets one see takes the change with it.
  await form.getByRole('checkbox', { name: 'See assets and their SIMs' }).uncheck()
  await expect(form.getByRole('checkbox', { name: 'Change assets and their SIMs' })).not.toBeChecked()
  await form.getByRole('radio', { name: /^Operator/ }).check()
  await form.getByRole('button', { name: 'Invite', exact: true }).click()
  // Nobody has shown that the guest's address is theirs, and no mail is sent: the owner hands a link over.
  const linking = owner.page.getByRole('dialog', { name: 'Invitation link' })
  await linking.getByRole('button', { name: 'Later' }).click()
  await expect(row(owner.page, guest.email)).toContainText('Invited')
  await expect(row(owner.page, guest.email)).toContainText('Operator')
  await menu(owner.page, guest.email).click()
  await expect(owner.page.getByRole('menuitem', { name: 'Send again' })).toHaveCount(0)
  await owner.page.getByRole('menuitem', { name: 'Renew for seven days' }).click()
  await expect(owner.page.getByRole('region', { name: 'Notifications' })).toContainText(
    `The invitation of ${guest.email} is valid for seven days from now`
  )
  await menu(owner.page, guest.email).click()
  await owner.page.getByRole('menuitem', { name: 'Create invitation link' }).click()
  await linking.getByRole('button', { name: 'Create link' }).click()
  const link = (await linking.getByRole('status', { name: 'Invitation link' }).textContent())!.trim()
  await expectAccessible(owner.page)
  await linking.getByRole('button', { name: 'I have copied it' }).click()

  // The bell counts it; it is accepted on the screen of notifications, by the link.
  await guest.page.goto('/#/profile')
  await expect(guest.page.getByText('Not confirmed', { exact: true })).toBeVisible()
  await expectAccessible(guest.page)
  await guest.page.goto('/#/notifications?tab=invitations')
  await expect(guest.page.getByRole('button', { name: /1 pending invitation/ })).toBeVisible()
  await expect(guest.page.getByRole('button', { name: 'Accept the invitation to Orchard' })).toBeDisabled()
  await expect(guest.page.getByText('Ask the person who invited you for the invitation link')).toBeVisible()
  await expectAccessible(guest.page)
  await guest.page.goto(link)
  await guest.page.getByRole('button', { name: 'Accept the invitation to Orchard' }).click()
  await expect(guest.page.getByText('You have no pending invitations')).toBeVisible()
  await expect(row(owner.page, guest.email)).toContainText('Active')

  // On the team's account.
  await guest.page.getByRole('banner').getByRole('button', { name: 'Guest' }).click()
  await guest.page.getByRole('menuitemradio', { name: 'Orchard' }).click()
  await expect(guest.page.getByRole('banner').getByRole('button', { name: 'Orchard' })).toBeVisible()
  await guest.page.goto('/#/assets')
  await expect(guest.page.getByRole('heading', { level: 1, name: 'Assets' })).toBeVisible()

  // Rights that are taken away close what is open, without a click of theirs.
  await menu(owner.page, guest.email).click()
  await owner.page.getByRole('menuitem', { name: 'Change permissions' }).click()
  const change = owner.page.getByRole('dialog', { name: 'Change permissions' })
  await change.getByRole('radio', { name: /^Billing/ }).check()
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(row(owner.page, guest.email)).toContainText('Billing')
  await expect(guest.page.getByRole('heading', { level: 1, name: 'Your team' })).toBeVisible()
  await expect(guest.page.getByText(`which you do not have on this account. Ask ${owner.email} for it.`)).toBeVisible()

  await menu(owner.page, guest.email).click()
  await owner.page.getByRole('menuitem', { name: 'Remove from the team' }).click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(row(owner.page, guest.email)).toBeHidden()
  await expect(guest.page.getByRole('banner').getByText('Guest', { exact: true })).toBeVisible()
  await expect(guest.page.getByText('You are no longer in the team Orchard.')).toBeVisible()
  expect(((await (await guest.page.request.get('/v1/auth/user_info')).json()) as { acting_as: unknown }).acting_as).toBeNull()
})

test('the demo’s team: tags that limit, an invitation with its mail, and the way out', async ({ page, signIn, open, expectAccessible }) => {
  await signIn('owner')
  await open('/profile?tab=team')
  await expect(row(page, 'operator@demo.test')).toContainText('cold-chain')
  await expect(row(page, 'operator@demo.test')).toContainText('Chidi Okafor')
  await expect(row(page, 'owner@demo.test').first()).toContainText('Owner')
  await expectAccessible()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Invite to the team' })
  const email = `driver-${Math.random().toString(36).slice(2, 10)}@example.test`
  await form.getByLabel('E-mail').fill(email)
  await form.getByRole('radio', { name: 'Only assets with one of these tags' }).check()
  await form.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(form.getByText('Choose at least one tag')).toBeVisible()
  await form.getByRole('button', { name: /Tags/ }).click()
  await page.getByRole('option', { name: 'retail' }).click()
  await page.keyboard.press('Escape')
  await expectAccessible()
  await form.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(form).toBeHidden()
  await page.getByRole('dialog', { name: 'Invitation link' }).getByRole('button', { name: 'Later' }).click()
  await page.getByRole('link', { name: 'Demo mailbox' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Demo mailbox' })).toBeVisible()
  await expect(page.getByText(`To ${email}`)).toBeVisible()
  await expect(page.getByText('You see the assets with the tag retail.')).toBeVisible()
  await expectAccessible()
  await page.goBack()
  await menu(page, email).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(row(page, email)).toBeHidden()
})

test('a second factor that the owner demands: the member is notified at once, sets one up where they are, and goes on', async ({
  browser,
}) => {
  await using owner = await newPerson(browser, 'Foundry')
  await using guest = await newPerson(browser, 'Visitor')
  const post = async ({ page }: { page: Page }, path: string, data: unknown) => {
    const answer = await page.request.post(`/v1${path}`, { data })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as Record<string, string>
  }
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: Date.now() + steps * 30_000 })
  const { secret } = await post(owner, '/account/authenticator', { password })
  await post(owner, '/account/authenticator/confirm', { code: codeOf(secret!, -1) })
  const granted = { email: guest.email, permissions: ['assets.view'] }
  expect((await owner.page.request.patch('/v1/tenancy/invitation', { data: granted })).status()).toBe(200)
  const { url } = await post(owner, '/tenancy/invitation_link', { email: guest.email })
  await post(guest, '/tenancy/approve_invitation', { inviter_email: owner.email, proof: url!.split('proof=')[1] })
  await post(guest, '/auth/switch_account', { team_member_email: owner.email })
  await guest.page.goto('/#/assets')
  await expect(guest.page.getByText('No data found')).toBeVisible()

  await owner.page.goto('/#/profile?tab=team')
  await owner.page.getByRole('button', { name: 'Require two-factor' }).click()
  const form = owner.page.getByRole('dialog', { name: 'Require two-factor for everybody?' })
  await form.getByLabel('Your password').fill(password)
  await form.getByLabel('Code from your authenticator app').fill(codeOf(secret!))
  await form.getByRole('button', { name: 'Require it' }).click()
  await expect(owner.page.getByRole('button', { name: 'Make two-factor optional' })).toBeVisible()

  await guest.page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await guest.page.getByLabel('Your password').fill(password)
  await guest.page.getByRole('button', { name: 'Continue' }).click()
  const app = guest.page.getByRole('dialog', { name: 'Set up your authenticator app' })
  const key = await app.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()
  await app.getByLabel('Code from the app').fill(codeOf(key!))
  await app.getByRole('button', { name: 'Switch on' }).click()
  // The account is open to them by now, and the codes are still there to be kept.
  const codes = guest.page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.getByRole('checkbox', { name: 'I have saved these codes' }).check()
  await codes.getByRole('button', { name: 'Done' }).click()
  await expect(guest.page.getByText('No data found')).toBeVisible()
})
