import type { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { ratWords } from '../../../kit/radio-technology.ts'
import { RelativeTime } from '../../../kit/RelativeTime.tsx'
import { CopyText } from '../../../ui/CopyText.tsx'
import { Fact, Facts, Panel } from '../../../ui/Panel.tsx'

/** The modem, as the device reports it. */
export function ModemPanel({ reported }: { reported: ReportedNetwork | null }) {
  const modem = reported?.modem
  return (
    <Panel title="Modem and signal" note={reported && <RelativeTime at={reported.at} />}>
      {modem ? (
        <div className="-my-1.5">
          <Facts>
            <Fact label="Signal">{modem.signal_pct === null ? '—' : `${modem.signal_pct} %`}</Fact>
            <Fact label="Operator">
              {modem.operator ?? '—'} <span className="text-fg-3">{modem.operator_code}</span>
            </Fact>
            <Fact label="Technology">
              {modem.technology
                ?.split(', ')
                .map((one) => ratWords(one.toUpperCase()))
                .join(', ') ?? '—'}
            </Fact>
            <Fact label="State">{modem.state ?? '—'}</Fact>
            <Fact label="Modem">{[modem.manufacturer, modem.model].filter(Boolean).join(' ') || '—'}</Fact>
            <Fact label="IMEI">{modem.imei ? <CopyText text={modem.imei} label="IMEI" /> : '—'}</Fact>
            <Fact label="Firmware">{modem.firmware ?? '—'}</Fact>
          </Facts>
        </div>
      ) : (
        <p className="text-fg-3 text-pretty">{reported?.modem_words ?? 'The device has not reported a modem.'}</p>
      )}
    </Panel>
  )
}
