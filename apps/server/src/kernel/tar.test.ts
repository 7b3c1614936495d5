import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { tarEnd, tarHead } from './tar.ts'

test('a file of any size is packed so that tar unpacks it', () => {
  for (const size of [0, 1, 511, 512, 513, 100_000]) {
    const bytes = Buffer.alloc(size, 'x')
    const input = Buffer.concat([tarHead('bin/program', size), bytes, tarEnd(size)])
    expect(input.length % 512).toBe(0)
    expect(execFileSync('tar', ['-xOf', '-', 'bin/program'], { input }).equals(bytes)).toBe(true)
    expect(execFileSync('tar', ['-tvf', '-'], { input }).toString()).toMatch(/^-rwxr-xr-x .* bin\/program\n$/)
  }
})
