import type { Operation } from '@masthead/contract/kernel/operation'
import { surroundings } from '../api/client.ts'
import { copyText } from '../ui/copy.ts'
import { toast } from '../ui/toast.ts'

/** How long the next action is waited for before it is an ordinary one again. Milliseconds. */
const waitFor = 60_000

/** The code of it comes when it is asked for: most never do. */
const writeCurl = (op: Operation, input: unknown) => import('./curl.ts').then(({ curlOf }) => curlOf(op, input))

/** Puts the next write of this console on the clipboard as a curl command instead of sending it. Returns how to think better of it. */
export function copyNextAsCurl(): () => void {
  const take: NonNullable<typeof surroundings.instead> = (op, input) =>
    void writeCurl(op, input)
      .then((line) => copyText(line, null))
      .then((copied) => {
        if (copied) toast.success('The curl command is on the clipboard. Nothing was changed.', { title: 'Copied as curl' })
        else toast.error('Your browser did not allow it.', { title: 'Not copied' })
      })
  surroundings.instead = take
  const stop = () => {
    if (surroundings.instead === take) surroundings.instead = null
  }
  setTimeout(stop, waitFor)
  return stop
}

/** Lets a dialog do what it does, but on the clipboard. */
export async function copyAsCurl(act: () => unknown): Promise<void> {
  const stop = copyNextAsCurl()
  await act()
  // A mutation begins within the tasks that are waiting now.
  setTimeout(stop)
}
