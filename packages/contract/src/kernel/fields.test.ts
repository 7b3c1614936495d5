import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AskedTime, Email, listOf, Name, Time } from './fields.ts'

test('an e-mail address is kept trimmed and in lower case', () => {
  expect(z.parse(Email, '  Ann.Lee+sim@Example.COM ')).toBe('ann.lee+sim@example.com')
})

test.each(['', 'ann', 'ann@', '@example.com', 'a b@example.com', 'ann@example.com\n', `${'a'.repeat(250)}@b.test`].map((text) => [text]))(
  '%j as an e-mail address is refused or mended',
  (text) => {
    const read = z.safeParse(Email, text)
    if (read.success) expect(read.data).toBe(text.trim())
    else expect(read.error.issues.length).toBeGreaterThan(0)
    expect(read.success).toBe(text === 'ann@example.com\n')
  }
)

test('a repeated query parameter is a list, a single one a list of one, a missing one nothing', () => {
  const list = listOf(z.enum(['a', 'b']))
  expect(z.parse(list, 'a')).toEqual(['a'])
  expect(z.parse(list, ['a', 'b'])).toEqual(['a', 'b'])
  expect(z.parse(list, undefined)).toBeUndefined()
  expect(z.safeParse(list, 'c').success).toBe(false)
  expect(z.safeParse(list, Array(101).fill('a')).success).toBe(false)
})

test('a name is not blank and not endless', () => {
  expect(z.parse(Name, ' Pump 7 ')).toBe('Pump 7')
  for (const text of ['', '   ', 'x'.repeat(121)]) expect(z.safeParse(Name, text).success).toBe(false)
})

test('a name looks like what it is: what is not seen, or turns what follows, is left out', () => {
  expect(z.parse(Name, 'in\u202evoice\u2066 \u200bAcme\ufeff\u00ad ')).toBe('invoice Acme')
  // Joiners between what is seen are spelling.
  for (const text of ['می\u200cخواهم', '👩\u200d🔧 van', 'Müller & Söhne', '株式会社']) expect(z.parse(Name, text)).toBe(text)
  for (const text of ['\u200b', '\u200d', '\u3164', 'a\u2028b', 'a\nb', 'a\ud800']) expect(z.safeParse(Name, text).success).toBe(false)
})

test('a time that is asked for is one the database can count with', () => {
  expect(z.safeParse(AskedTime, '2026-11-01T00:00:00Z').success).toBe(true)
  for (const text of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-11-01'])
    expect(z.safeParse(AskedTime, text).success).toBe(false)
})

test('a time is UTC', () => {
  expect(z.safeParse(Time, '2026-11-01T00:00:00.000Z').success).toBe(true)
  for (const text of ['2026-11-01', '2026-11-01T00:00:00+01:00', '2026-13-01T00:00:00Z'])
    expect(z.safeParse(Time, text).success).toBe(false)
})
