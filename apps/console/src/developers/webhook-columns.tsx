import type { Delivery, Webhook } from '@masthead/contract/developers/webhook'
import { BesideLink } from '../kit/BesideLink.tsx'
import { CellLink } from '../kit/CellLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { deliveryLook, disabledWords, durationWords, eventsWords, webhookLook } from './webhook-words.ts'

export const webhookColumns: Column<Webhook>[] = [
  {
    id: 'name',
    header: 'Name',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ id, name, url }) => (
      <TwoLines
        first={<CellLink to={`/developer?tab=webhooks&webhook=${id}`}>{name}</CellLink>}
        second={<span className="mono">{url}</span>}
      />
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 200,
    list: 'aside',
    shape: 'two',
    cell: (webhook) => (
      <TwoLines
        first={<StatusDot {...webhookLook(webhook.state)} />}
        second={disabledWords(webhook) ?? (webhook.failures > 0 ? `${webhook.failures} consecutive failures` : null)}
      />
    ),
  },
  {
    id: 'events',
    header: 'Events',
    width: 180,
    list: 'below',
    drop: 3,
    cell: ({ events }) => <span className="truncate">{eventsWords(events)}</span>,
  },
  { id: 'waiting', header: 'Waiting', width: 90, numeric: true, drop: 2, cell: ({ waiting }) => waiting.toLocaleString('en') },
  {
    id: 'last',
    header: 'Last delivered',
    width: 130,
    numeric: true,
    drop: 1,
    cell: ({ last_delivered_at }) => <RelativeTime at={last_delivered_at} />,
  },
]

export const deliveryColumns: Column<Delivery>[] = [
  {
    id: 'type',
    header: 'Event',
    fixed: true,
    list: 'title',
    cell: ({ id, type }) => (
      <span className="mono truncate">
        <BesideLink name="delivery" value={id}>
          {type}
        </BesideLink>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 150,
    list: 'aside',
    shape: 'two',
    cell: (delivery) => (
      <TwoLines
        first={<StatusDot {...deliveryLook(delivery)} />}
        second={delivery.next_try_at && delivery.tries > 0 ? <RelativeTime at={delivery.next_try_at} /> : null}
      />
    ),
  },
  {
    id: 'answer',
    header: 'Response',
    width: 260,
    list: 'below',
    cell: ({ status, words, tries }) => (
      <span className="truncate">{words ?? (status ? <span className="mono">{status}</span> : tries > 0 ? '' : 'Not tried yet')}</span>
    ),
  },
  { id: 'tries', header: 'Tries', width: 70, numeric: true, drop: 1, cell: ({ tries }) => tries },
  {
    id: 'took',
    header: 'Duration',
    width: 90,
    numeric: true,
    drop: 2,
    cell: ({ duration_ms }) => (duration_ms === null ? '—' : durationWords(duration_ms)),
  },
  {
    id: 'created',
    header: 'Event time',
    width: 120,
    numeric: true,
    list: 'below',
    listHead: true,
    drop: 3,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
]
