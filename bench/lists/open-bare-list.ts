import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The reference's process: its address, and how to end it. */
export async function openBareList(databaseUrl: string) {
  const child = fork(fileURLToPath(new URL('./bare-list.ts', import.meta.url)), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => void child.kill('SIGKILL') }
}
