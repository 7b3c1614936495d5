// The version of the agent. It rises by itself with each change of what the agent is made of, and whoever builds the same commit gets the same one.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const begin = Date.UTC(2026, 0, 1) / 1000
const day = 86_400 // seconds
const program = 'apps/agent/src/main.ts'
/** What it is made of beside its sources: packages of others, and how all is put together. */
const beside = ['package-lock.json', 'tools/build-agent.mjs']

/** Sources of the program, by its imports, each as a path from the root. */
export function sourcesOf(root) {
  const found = new Set([program])
  // What is added meanwhile has its turn, too.
  for (const file of found)
    for (const [, named] of readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const [, contract] = /^@masthead\/contract\/(.+)$/.exec(named) ?? []
      const source = contract ? `packages/contract/src/${contract}.ts` : relative(root, join(root, dirname(file), named))
      if ((contract || /^\..*\.ts$/.test(named)) && existsSync(join(root, source))) found.add(source)
    }
  return [...found]
}

/** When files changed last, in seconds since 1970: as git has it, and where there is no git, or one of them is not committed, as the files say. */
function changedAt(root, files) {
  const git = (...words) => spawnSync('git', ['-C', root, ...words, '--', ...files], { encoding: 'utf8' })
  const { status, stdout } = git('status', '--porcelain')
  const committed = status === 0 && stdout === '' ? git('log', '-1', '--format=%ct').stdout.trim() : ''
  if (/^\d+$/.test(committed)) return Number(committed)
  return Math.floor(Math.max(...files.map((file) => statSync(join(root, file)).mtimeMs)) / 1000)
}

/** Like `0.330.44012`: the first number of its package, and the day since 2026 and its second (UTC) in which it changed last. */
export function agentVersion(root) {
  const at = Math.max(0, changedAt(root, [...sourcesOf(root), ...beside]) - begin)
  const [major] = JSON.parse(readFileSync(join(root, 'apps/agent/package.json'), 'utf8')).version.split('.')
  return `${major}.${Math.floor(at / day)}.${at % day}`
}
