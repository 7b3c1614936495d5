import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { claimLock } from './pid-lock.ts'

const dir = mkdtempSync(join(tmpdir(), 'masthead-claim-'))
const path = join(dir, 'masthead.pid')
afterAll(() => rmSync(dir, { recursive: true }))

function claim() {
  const claimed = claimLock(path)
  if ('heldBy' in claimed) throw new Error(`held by ${claimed.heldBy}`)
  return claimed
}

test('is held until it is given back', () => {
  const mine = claim()
  expect(claimLock(path)).toEqual({ heldBy: process.pid })
  mine.release()
  claim().release()
})

test('who holds it is seen where nothing can be written', () => {
  const mine = claim()
  const draft = `${path}.${process.pid}`
  mkdirSync(draft)
  expect(claimLock(path)).toEqual({ heldBy: process.pid })
  rmdirSync(draft)
  mine.release()
})

test.each([
  ['a pid that nobody has', (own: string) => own.replace(/^\d+/, '4194304')],
  ['our pid, started at another time', (own: string) => own.replace(/ \d+ /, ' 1 ')],
  ['our pid and time, of another boot', (own: string) => own.replace(/[0-9a-f-]{36}/, '00000000-0000-0000-0000-000000000000')],
  ['half a line', (own: string) => own.slice(0, 3)],
  ['nothing', () => ''],
])('is taken over from %s', (_who, change) => {
  const mine = claim()
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  mine.release() // not ours any more, so it stays
  expect(existsSync(path)).toBe(true)
  claim().release()
})
