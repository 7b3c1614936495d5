import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tools/run.ts'

/** Gives a copy of the checkout on the same disk node_modules of its own: the links in there lead back into the copy. */
export function linkModules(copy: string): void {
  for (const folder of globSync(['node_modules', '{apps,packages}/*/node_modules'], { cwd: root }))
    execFileSync('cp', ['-al', join(root, folder), join(copy, folder)])
}
