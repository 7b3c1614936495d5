import { afterEach, expect, test, vi } from 'vitest'
import { forgetEarly, takeEarly } from './early.ts'

afterEach(() => void vi.unstubAllGlobals())

function asked(...urls: string[]) {
  vi.stubGlobal('location', { href: 'http://here.test/#/assets' })
  vi.stubGlobal('window', {
    mastheadEarly: urls.map((url) => ({ url, answer: Promise.resolve(new Response(url)), at: performance.now() })),
  })
}

test('an answer that is on its way is taken once', async () => {
  asked('http://here.test/v1/account', 'http://here.test/v1/auth/user_info')
  expect(await (await takeEarly('/v1/auth/user_info'))!.text()).toBe('http://here.test/v1/auth/user_info')
  expect(takeEarly('/v1/auth/user_info')).toBeUndefined()
  expect(takeEarly('/v1/assets')).toBeUndefined()
})

test('what was asked before a change is asked again after it', () => {
  asked('http://here.test/v1/auth/user_info')
  forgetEarly()
  expect(takeEarly('/v1/auth/user_info')).toBeUndefined()
})

test('one that is older than half a minute is asked again', () => {
  asked('http://here.test/v1/account')
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 30_000)
  expect(takeEarly('/v1/account')).toBeUndefined()
})

test('what nobody signed in was refused is not shown to whoever signs in', async () => {
  asked('http://here.test/v1/auth/user_info', 'http://here.test/v1/account')
  window.mastheadEarly![0]!.answer = Promise.resolve(new Response('', { status: 401 }))
  expect((await takeEarly('/v1/auth/user_info'))!.status).toBe(401)
  expect(takeEarly('/v1/account')).toBeUndefined()
})
