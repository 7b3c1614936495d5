import { expect, test } from 'vitest'
import { openLog } from './log.ts'

test('a log on a full disk ends nothing, and says afterwards how much of it is lost', () => {
  let full = true
  let text = ''
  const log = openLog('info', (lines) => {
    if (full) throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
    text += lines
  })
  log.info('first')
  log.fatal('second')
  full = false
  log.info('third')
  log.debug('less than what is asked for')
  log.info('fourth')
  const lines = text.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ lost: 2 }, { msg: 'third' }, { msg: 'fourth' }])
})
