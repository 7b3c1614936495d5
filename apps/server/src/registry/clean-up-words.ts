import { formatBytes } from '@masthead/contract/usage/bytes'
import type { App } from '../kernel/app.ts'
import { cleanUp } from './content/clean-up.ts'

const count = (number: number, one: string, more = `${one}s`) => `${number.toLocaleString('en')} ${number === 1 ? one : more}`

/** Removes now what each hour is removed of the registry, and says in words what that was. */
export async function registryCleanUp(app: App): Promise<string> {
  const { uploads, links, repositories, blobs, bytes, left_behind } = await cleanUp(app)
  const removed = [
    ...(uploads > 0 ? [`${count(uploads, 'upload')} that nobody went on with`] : []),
    ...(links > 0 ? [`${count(links, 'blob')} of repositories in which no image names them`] : []),
    ...(repositories > 0 ? [`${count(repositories, 'repository', 'repositories')} in which nothing was left`] : []),
    ...(blobs > 0 ? [`the bytes of ${count(blobs, 'blob')} that no repository has, ${formatBytes(bytes)}`] : []),
    ...(left_behind > 0 ? [`${count(left_behind, 'file')} that a killed process left behind`] : []),
  ]
  if (removed.length === 0) return 'There is nothing to remove. What no image names stays for a day, as the push of one may take so long.'
  return ['Removed were:', ...removed.map((line) => `  ${line}`)].join('\n')
}
