import { useRef, type MouseEvent, type ReactNode } from 'react'
import { download } from './download.ts'

/** A link to a file that stays a link for whoever copies it; pressed, the file is fetched, and a failure is said in words. */
export function DownloadLink({ href, name, className, children }: { href: string; name: string; className: string; children: ReactNode }) {
  const busy = useRef(false)
  const fetchIt = async (event: MouseEvent) => {
    event.preventDefault()
    if (busy.current) return
    busy.current = true
    await download(href, name)
    busy.current = false
  }
  return (
    <a className={className} href={href} download onClick={(event) => void fetchIt(event)}>
      {children}
    </a>
  )
}
