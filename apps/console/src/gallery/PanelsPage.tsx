import { CardSim, Plus } from 'lucide-react'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { CardInfo } from '../ui/CardInfo.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Cell, Fact, Facts, Frame, Panel, Stat, StatPart } from '../ui/Panel.tsx'
import { Sparkline } from '../ui/Sparkline.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { StatusBadge } from '../ui/StatusDot.tsx'
import { wave } from './chart-samples.ts'
import { Grid, Section } from './Specimen.tsx'

const now = Date.UTC(2026, 10, 21)

export function PanelsPage() {
  return (
    <>
      <Section title="Statistic tiles" about="Figures that belong together share one frame. A number comes with what it is made of.">
        <Frame className="@sm/main:grid-cols-3">
          <Cell>
            <Stat
              label="SIMs"
              value="261"
              parts={
                <>
                  <StatPart label="active">
                    <StateShape shape="disc" tone="ok" /> 214
                  </StatPart>
                  <StatPart label="ready">
                    <StateShape shape="half" tone="info" /> 22
                  </StatPart>
                  <StatPart label="resting">
                    <StateShape shape="bars" tone="hold" /> 25
                  </StatPart>
                </>
              }
            />
          </Cell>
          <Cell>
            <Stat
              label="Data this month"
              value="51.7"
              unit="GB"
              parts={
                <StatPart label="by day">
                  <Sparkline label="Data by day, rising" values={wave(21, 2e9, 3)} />
                </StatPart>
              }
            />
          </Cell>
          <Cell>
            <Stat label="Credits" value="$1,284.60" loading />
          </Cell>
        </Frame>
      </Section>
      <Section title="Cards" about="An outline on the page's own ground, with a head.">
        <Grid>
          <Panel title="Session" note="KPN 204-08, LTE" end={<StatusBadge status="live" />}>
            <Facts>
              <Fact label="Online for">6 h 12 min</Fact>
              <Fact label="Next record">in 8 s</Fact>
              <Fact label="Signal">−91 dBm, good</Fact>
            </Facts>
          </Panel>
          <Panel>
            <p className="text-fg-2">Without a head.</p>
          </Panel>
        </Grid>
      </Section>
      <Section title="Payment card" about="Brand, last four, MM/YY.">
        <Grid>
          <Panel>
            <CardInfo brand="visa" lastFour="4242" expiration="04/29" now={now} />
          </Panel>
          <Panel>
            <CardInfo brand="amex" lastFour="0005" expiration="10/26" now={now} />
          </Panel>
        </Grid>
      </Section>
      <Section title="Empty and failed" about="What the thing is, and the first step; what happened, what was kept, what to do.">
        <Grid>
          <Panel>
            <EmptyState
              icon={CardSim}
              title="No assets yet"
              actions={
                <Button color="primary-solid" icon={Plus}>
                  Register asset
                </Button>
              }
            >
              An asset is a SIM, or a device with one. Register the first with the number on its card or its box.
            </EmptyState>
          </Panel>
          <Panel>
            <ErrorState
              title="The pool could not be loaded"
              failure={{ detail: 'The server did not answer.', request_id: 'req_01hqz3' }}
              onRetry={() => undefined}
            />
          </Panel>
        </Grid>
      </Section>
      <Section title="Banner" about="The head of a screen.">
        <div role="presentation" className="rounded-lg border border-line px-4">
          <Banner
            title="Statistics and cards"
            subtitle="The title stands in the window's too."
            meta={<StatusBadge status="active" />}
            end={<Button>Action</Button>}
          />
        </div>
      </Section>
    </>
  )
}
