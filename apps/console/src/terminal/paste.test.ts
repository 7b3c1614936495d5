import { expect, test } from 'vitest'
import { asText, linesOf } from './paste.ts'

test('what is pasted controls nothing, and every line of it is counted', () => {
  expect(asText('ls \u001b[201~rm -rf ~\r')).toBe('ls [201~rm -rf ~\n')
  expect(asText('a\tb\u0003\u009b201~\u007f grüße 日本')).toBe('a\tb201~ grüße 日本')
  expect(linesOf(asText('one\rtwo\r\nthree\n'))).toEqual(['one', 'two', 'three'])
  expect(linesOf(asText('one\r'))).toEqual(['one'])
})
