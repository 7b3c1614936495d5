import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../tools/run.ts'
import { linkModules } from './link-modules.ts'

const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
const day = 86_400 // s
const checksums = 'apps/server/db/migrations/checksums.txt'

export type OlderRelease = { commit: string; dir: string; remove: () => void }

/** What `BENCH_RELEASE` names, or the newest release of a day before this one: whose migrations are all still here as they were. */
function findOlder(wanted: string | undefined): string {
  const now = new Set(readFileSync(join(root, checksums), 'utf8').split('\n'))
  const isBefore = (commit: string) =>
    git('show', `${commit}:${checksums}`)
      .split('\n')
      .every((line) => now.has(line))
  if (wanted) {
    const commit = git('rev-parse', '--verify', `${wanted}^{commit}`).trim()
    if (!isBefore(commit)) throw new Error(`The migrations of ${wanted} are others than those that this release begins with`)
    return commit
  }
  const until = Number(git('log', '-1', '--format=%ct')) - day
  const found = git('rev-list', '--first-parent', `--before=${until}`, 'HEAD').trim().split('\n').find(isBefore)
  if (!found) throw new Error('There is no older release in the history: name one by BENCH_RELEASE')
  return found
}

/** An older release beside this checkout, with all that it needs to run. */
export function checkOutOlder(wanted?: string): OlderRelease {
  const commit = findOlder(wanted)
  const dir = mkdtempSync(join(dirname(root), '.masthead-older-'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  try {
    execFileSync('tar', ['-x', '-C', dir], { input: execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 28 }) })
    const isSame = readFileSync(join(dir, 'package-lock.json')).equals(readFileSync(join(root, 'package-lock.json')))
    if (isSame) linkModules(dir)
    else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] })
    return { commit, dir, remove }
  } catch (error) {
    remove()
    throw error
  }
}
