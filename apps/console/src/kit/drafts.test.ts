import { beforeEach, expect, test } from 'vitest'
import type { UserInfo } from '@masthead/contract/auth/user-info'
import { useSession } from '../api/session.ts'
import { draftKey, hasDrafts, keepDraft, takeDraft } from './drafts.ts'

const as = (email: string) => useSession.setState({ status: 'success', user: { email } as UserInfo })
const key = draftKey({ name: 'backoffice.addNote', path: '/backoffice/accounts/{email}/notes' }, { email: 'a@b.test' })!
const ended = 'http://here/#/masa/access?redirect_url=%2Fmasa'
beforeEach(() => {
  as('staff@demo.test')
  takeDraft(key)
  return () => useSession.setState({ status: 'idle', user: null })
})

test('what was typed when the stay ended comes back once, in the same form', () => {
  keepDraft(key, { text: '', on: true }, { text: 'half a sen', on: true }, ended)
  expect(hasDrafts()).toBe(true)
  expect(takeDraft(draftKey({ name: 'backoffice.addNote', path: '/backoffice/x' }, { email: 'c@d.test' })!)).toBeNull()
  expect(takeDraft(key)).toEqual({ text: 'half a sen' })
  expect([takeDraft(key), hasDrafts()]).toEqual([null, false])
})

test('nothing is kept of a form that was left, or not written in; no secret, and nothing for somebody else', () => {
  keepDraft(key, { text: '' }, { text: 'left' }, 'http://here/#/masa/accounts')
  keepDraft(key, { text: '' }, { text: '' }, ended)
  keepDraft(key, { password: '' }, { password: 'mine' }, 'http://here/masa/access')
  expect(hasDrafts()).toBe(false)
  keepDraft(key, { text: '' }, { text: 'mine' }, 'http://here/masa/access')
  as('another@demo.test')
  expect([hasDrafts(), takeDraft(key)]).toEqual([false, null])
  expect(draftKey({ name: 'backoffice.enter', path: '/backoffice/access' }, {})).toBeNull()
  expect(draftKey({ name: 'tags.createTag', path: '/tags' }, {})).toBeNull()
})
