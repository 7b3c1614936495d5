import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { Moon, Sun } from 'lucide-react'
import { IconButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Toaster } from '../ui/Toaster.tsx'
import { useTheme } from '../ui/use-theme.ts'
import { pages } from './pages.ts'

const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** All pieces of the design system, in every state. Not part of the product. */
export function Gallery() {
  const id = useSyncExternalStore(subscribe, () => location.hash.replace(/^#\/?/, ''))
  const theme = useTheme()
  const { title, about, page: Page, ...current } = pages.find((one) => one.id === id) ?? pages[0]!
  useEffect(() => {
    document.title = `${title} · Masthead gallery`
  }, [title])
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <div className="grid min-h-screen side:grid-cols-[208px_minmax(0,1fr)]">
      <nav
        aria-label="Pages"
        className="flex flex-wrap content-start gap-0.5 border-line bg-chrome p-3 max-side:border-b side:flex-col side:flex-nowrap side:border-r"
      >
        <span className="flex w-full items-center justify-between px-2 pb-2 text-md font-semibold">
          Gallery
          <IconButton
            label={`Show in ${other}`}
            icon={theme === 'dark' ? Sun : Moon}
            size="small"
            onClick={() => (document.documentElement.dataset.theme = other)}
          />
        </span>
        {pages.map((one) => (
          <a
            key={one.id}
            href={`#/${one.id}`}
            aria-current={one.id === current.id ? 'page' : undefined}
            className={cx(
              'rounded-md px-2 py-1 font-medium',
              one.id === current.id ? 'bg-active text-fg' : 'text-fg-2 hover:bg-active hover:text-fg'
            )}
          >
            {one.title}
          </a>
        ))}
      </nav>
      <main className="@container/main min-w-0 px-4 py-6 side:px-8">
        <h1 className="tight text-xl font-semibold">{title}</h1>
        <p className="mt-0.5 mb-6 text-fg-2">{about}</p>
        <Suspense fallback={null}>
          <div key={current.id} data-page={current.id} className="grid max-w-240 gap-10">
            <Page />
          </div>
        </Suspense>
      </main>
      <Toaster />
    </div>
  )
}
