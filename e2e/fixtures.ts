import { setTimeout as pause } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { test as base } from './kept-page.ts'

type Who = 'owner' | 'operator' | 'staff' | 'invited' | 'empty'

/**
 * Before somebody else signs in beside it: an open console would go on asking as them, with what the one before left. It would reload itself, or
 * be refused in the backoffice and end the session there, in the middle of what the test does.
 */
export async function leaveConsole(page: Page) {
  if (!/\/healthz$|^about:/.test(page.url())) await page.goto('/healthz')
}

/**
 * Asks with a password through the API, so that a screen's test begins at its screen. A fast machine asks more often than one address may: then
 * the test waits as long as it is asked to, beside its own time.
 */
export async function askWithPassword(page: Page, path: string, data: object) {
  await leaveConsole(page)
  const ask = () => page.request.post(path, { data })
  let answer = await ask()
  for (; answer.status() === 429; answer = await ask()) {
    const wait = Number(answer.headers()['retry-after']) * 1000
    base.setTimeout(base.info().timeout + wait)
    await pause(wait)
  }
  expect(answer.status(), await answer.text()).toBe(200)
  return answer
}

export const signInAs = (page: Page, email: string, password = 'masthead-demo') =>
  askWithPassword(page, '/v1/auth/login', { email, password })

export const test = base.extend<{
  signIn: (who: Who) => Promise<void>
  open: (path: string) => Promise<void>
  expectAccessible: (options?: { bestPractice?: boolean }) => Promise<void>
}>({
  signIn: async ({ page }, use) => use(async (who) => void (await signInAs(page, `${who}@demo.test`))),
  /** Opens a screen by its path inside the console (`/assets?type=core`) and waits for its title. */
  open: async ({ page }, use) =>
    use(async (path) => {
      await page.goto(base.info().project.name === 'history' ? path : `/#${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }),
  expectAccessible: async ({ page }, use) => use((options) => expectAccessible(page, options)),
})

export { expect } from '@playwright/test'

/** The next answer from an address is lost on its way, after the server did what was asked. */
export const loseAnswer = (page: Page, address: string) =>
  page.route(
    address,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 }
  )
