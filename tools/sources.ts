import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

const notOurs = /^(node_modules|dist|dist-.*|coverage|test-results.*|playwright-report|\.(?!ci$|github$).*)$/

/** Every file of the checkout that is written by hand, as paths from its top. Without git: a tarball has rules too. */
export function sourceFiles(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory()) return notOurs.test(entry.name) ? [] : sourceFiles(path)
    // In a worktree of git `.git` is a file.
    return entry.isFile() && !/\.(log|lock)$|^\.git$/.test(entry.name) ? [path] : []
  })
}

export const readSource = (path: string) => readFileSync(join(root, path), 'utf8')
