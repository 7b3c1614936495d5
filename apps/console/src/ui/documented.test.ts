import { expect, test } from 'vitest'

const sources = import.meta.glob<string>(['./*.tsx', '../kit/*.tsx'], { query: '?raw', import: 'default', eager: true })

test('every piece says in a line what it is', () => {
  const silent = Object.entries(sources).flatMap(([file, source]) => {
    const lines = source.split('\n')
    return lines.flatMap((line, at) => {
      const name = /^export (?:function|const) ([A-Z]\w+)/.exec(line)?.[1]
      return name && !lines[at - 1]!.endsWith('*/') ? [`${file}: ${name}`] : []
    })
  })
  expect(Object.keys(sources).length).toBeGreaterThan(60)
  expect(silent).toEqual([])
})
