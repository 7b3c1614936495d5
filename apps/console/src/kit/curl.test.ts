import { beforeEach, expect, test, vi } from 'vitest'
import { registerAsset, updateAsset } from '@masthead/contract/assets/operations'
import { logout } from '@masthead/contract/auth/operations'
import { login } from '@masthead/contract/auth/sign-in-operations'
import { deleteTag, listTags } from '@masthead/contract/tags/operations'
import { curlOf } from './curl.ts'

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://masthead.test' })
})

test('a call is a line for a shell, whatever is in it', () => {
  const line = curlOf(updateAsset, { params: { asset_id: 'ast_1' }, body: { name: `Ada's $HOME "pump"` } })
  expect(line).toBe(`# The key needs the scope assets.edit.
curl -X PATCH 'https://masthead.test/v1/assets/ast_1' \\
  -H "X-Api-Key: $MASTHEAD_API_KEY" \\
  -H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"Ada'\\''s $HOME \\"pump\\""}'`)
})

test('what has no body sends none, and reading needs no key against repetition', () => {
  expect(curlOf(deleteTag, { params: { tag_id: "x'y" } })).toContain(`curl -X DELETE 'https://masthead.test/v1/tags/x'\\''y'`)
  expect(curlOf(deleteTag, { params: { tag_id: 'x' } })).not.toContain('-d')
  expect(curlOf(listTags, {})).not.toMatch(/-X|Idempotency/)
})

test('what no key may do says so', () => {
  expect(curlOf(logout, {})).toMatch(/^# No API key may make this call/)
})

test('no password or code goes along', () => {
  const line = curlOf(login, { body: { email: 'ada@example.test', password: 'correct horse', code: '123456' } })
  expect(line).toContain('ada@example.test')
  expect(line).not.toMatch(/correct horse|123456/)
})

test('the number on a label is no proof: the line registers it as it stands', () =>
  expect(curlOf(registerAsset, { body: { token: '8988303001234567890', tags: [] } })).toContain('"token":"8988303001234567890"'))
