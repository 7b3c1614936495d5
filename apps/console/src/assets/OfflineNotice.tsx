import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Notice } from '../ui/Notice.tsx'

/** What a device that is not there said of itself may be so no more. `since`: null, it was never there. `waits`: something is to reach it. */
export const OfflineNotice = ({ since, waits = false, strip = false }: { since: string | null; waits?: boolean; strip?: boolean }) => (
  <Notice tone="warn" strip={strip}>
    {since ? (
      <>
        The device went offline <RelativeTime at={since} />: what is shown here is as it was before that.
      </>
    ) : (
      'The device has never connected, so nothing is known of it yet.'
    )}
    {waits && ' What is wanted of it, it gets as soon as it is connected.'}
  </Notice>
)
