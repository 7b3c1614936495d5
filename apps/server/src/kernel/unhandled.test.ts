import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

/** Runs a piece of a program as a process of its own that hears what nobody handled. */
async function runOf(piece: string, { goesOn, stderr = 'pipe' }: { goesOn: boolean; stderr?: 'pipe' | 'full' }) {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `import { openSync } from 'node:fs'
    import { openLog } from ${module('log.ts')}
    import { hearUnhandled } from ${module('unhandled.ts')}
    hearUnhandled(openLog('info'), { goesOn: ${goesOn} })
    ${piece}
    setTimeout(() => console.log('still there'), 20)`
  const command = stderr === 'full' ? 'exec "$0" "$@" 2>/dev/full' : 'exec "$0" "$@"'
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  const child = spawn('sh', ['-c', command, process.execPath, ...args])
  let [out, err] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const said = err
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg: string; err: { message: string } })
  return { code, said: said.map(({ msg, err: { message } }) => `${message}: ${msg}`), goesOn: out.includes('still there') }
}

const rejects = `void Promise.reject(new Error('Away'))`

test('a rejection that nobody handled is logged in a sentence, and the process goes on where it may', async () => {
  expect(await runOf(rejects, { goesOn: true })).toEqual({
    code: 0,
    said: ['Away: a failure that nobody handled; everything goes on'],
    goesOn: true,
  })
  expect(await runOf(rejects, { goesOn: false })).toEqual({
    code: 70,
    said: ['Away: a failure that nobody handled: this process ends and is started again'],
    goesOn: false,
  })
})

test('an exception that nobody caught ends the process with a sentence', async () => {
  const thrown = `setTimeout(() => { throw new Error('Half done') }, 1)`
  const words = 'Half done: a mistake that nobody caught: this process ends and is started again'
  for (const goesOn of [true, false]) expect(await runOf(thrown, { goesOn })).toEqual({ code: 70, said: [words], goesOn: false })
})

test('words that cannot be written, as the disk is full, end nothing', async () => {
  const piece = `${rejects}; console.error('Words')`
  expect(await runOf(piece, { goesOn: true, stderr: 'full' })).toEqual({ code: 0, said: [], goesOn: true })
})
