import { failureOf, noResponse, surroundings } from '../api/client.ts'
import { backofficeToken } from '../api/session.ts'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toast.ts'

/** The name that the server gives a file. */
const nameOf = (answer: Response) => /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]

/**
 * Fetches a file and hands it to the browser to keep, under the server's name for it, else `name`. Why it cannot be had is said by toast: behind a
 * plain link an error would take the place of the screen. Staff prove themselves by a header, which no link can.
 */
export async function download(href: string, name: string): Promise<void> {
  const token = surroundings.onBackofficeRoute() ? backofficeToken() : null
  try {
    const answer = await fetch(href, { credentials: 'include', headers: token ? { 'X-Backoffice-Token': token } : {} })
    if (answer.ok) return saveFile(nameOf(answer) ?? name, await answer.blob())
    if (answer.status === 401) surroundings.signedOut()
    toast.failure(await failureOf(answer), { title: 'Not downloaded' })
  } catch {
    // Broken off, what came is not the file.
    toast.failure(noResponse, { title: 'Not downloaded' })
  }
}
