import { expect, test } from 'vitest'
import { simulatedShell } from './simulated-shell.ts'

async function start() {
  let shown = ''
  const codes: number[] = []
  const shell = await simulatedShell({ name: 'Truck 1', iccid: '8988', containers: () => ['edge'], logOf: () => ['cycle 1'] })(
    { cols: 80, rows: 24 },
    { onBytes: (bytes) => (shown += Buffer.from(bytes).toString()), onExit: (code) => codes.push(code) }
  )
  await expect.poll(() => shown).toContain('root@truck-1')
  const type = (text: string) => {
    shown = ''
    shell.write(Buffer.from(text), () => {})
    return shown
  }
  return { type, codes, shell }
}

test('it echoes what is typed, does what it knows and says what it does not', async () => {
  const { type } = await start()
  expect(type('whoami\r')).toMatch(/^whoami\r\nroot\r\n/)
  expect(type('docker ps\r')).toContain('edge')
  expect(type('docker logs edge\r')).toContain('cycle 1')
  expect(type('mmcli -m 0\r')).toContain('8988')
  expect(type('constructor\r')).toContain('command not found')
  for (const program of /^ {2}(\w.*)$/m.exec(type('help\r'))![1]!.split(', '))
    expect(type(`${program} x\r`)).not.toContain('command not found')
})

test('a line is edited, one from before comes again, and what ends it ends it once', async () => {
  const { type, codes } = await start()
  expect(type('whoamj\u007fi\r')).toContain('\r\nroot\r\n')
  expect(type('\u001b[A\r')).toContain('\r\nroot\r\n')
  expect(type('rm -rf /\u0003')).toMatch(/\^C\r\n/)
  expect(type('whoami\u0015date\r')).toContain('GMT')
  type('exit\r')
  expect(type('whoami\r')).toBe('')
  expect(codes).toEqual([0])
})

test('it is not held up by a line without an end, nor by bytes that are no text', async () => {
  const { type } = await start()
  expect(type('x'.repeat(100_000)).length).toBeLessThan(2000)
  type('\u0015')
  type('\u001b]0;title\u0007\u0000\u009b\ufffd')
  expect(type('\u0015whoami\r')).toContain('\r\nroot\r\n')
})
