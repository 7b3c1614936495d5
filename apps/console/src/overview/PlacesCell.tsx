import { lazy, Suspense } from 'react'
import { PanelCell } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useSeen } from '../ui/use-seen.ts'

const Places = lazy(() => import('./Places.tsx').then((module) => ({ default: module.Places })))

/** Where SIMs are. The map comes when it is looked at. */
export function PlacesCell() {
  const [place, seen] = useSeen<HTMLDivElement>({ onlySeen: true })
  return (
    <PanelCell
      className="col-span-2 @lg:col-span-8"
      title="Where they are"
      note="by the network they last used data on, and by the positions that were set"
      line={false}
    >
      <div ref={place} className="px-4 pb-3" style={{ minHeight: placesHeight }}>
        {seen && (
          <Suspense fallback={<Skeleton className="h-70 w-full" />}>
            <Places />
          </Suspense>
        )}
      </div>
    </PanelCell>
  )
}

/** The map, its scale and the operators below. */
const placesHeight = 372
