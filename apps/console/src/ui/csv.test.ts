import { expect, test } from 'vitest'
import { csvText } from './csv.ts'
import { fileName } from './save-file.ts'

test('quotes what must be quoted, and lets no text be run as a formula', () => {
  expect(
    csvText([
      ['Name', 'Bytes', 'Note'],
      ['a,b', -5, null],
      ['say "x"', 0, '=1+1'],
      ['two\nlines', 1.5, '-91 dBm'],
      ['a;b', 2, 'x;=1+1'],
    ])
  ).toBe('Name,Bytes,Note\r\n"a,b",-5,\r\n"say ""x""",0,\'=1+1\r\n"two\nlines",1.5,\'-91 dBm\r\n"a;b",2,"x;\'=1+1"\r\n')
})

test.each([
  ['Data, this month', 'data-this-month.csv'],
  ['Čas (UTC)', 'as-utc.csv'],
  ['…', 'masthead.csv'],
])('%s is kept as %s', (words, name) => expect(fileName(words, 'csv')).toBe(name))
