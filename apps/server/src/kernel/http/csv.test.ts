import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  [['a', 1, true, null, undefined, ''], 'a,1,true,,,'],
  [['a,b', 'say "x"', 'two\nlines', 'cr\r'], '"a,b","say ""x""","two\nlines","cr\r"'],
  [['=1', '+1', '-1', '@x', '\tx', 'a=1', '1-1'], `'=1,'+1,'-1,'@x,"'\tx",a=1,1-1`],
  // Where Chinese and Japanese are typed, spreadsheets take the wide signs for the narrow ones.
  [['＝1', '＋1', '－1', '＠x', '\n=1'], `'＝1,'＋1,'－1,'＠x,"'\n'=1"`],
  // A spreadsheet that begins a cell after a semicolon or a tab sees no quotes in the middle of a line, and a line break is its next line.
  [['x;=1', 'x\t@y', 'x\r\n-1', 'x;a=1'], `"x;'=1","x\t'@y","x\r\n'-1","x;a=1"`],
  [['x; =1', 'x;"=1"', ' =1', '"=1"'], `"x;' =1","x;'""=1""",' =1,"'""=1"""`],
  [['=a,b', -5], '"\'=a,b",-5'],
])('%j', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`)
})
