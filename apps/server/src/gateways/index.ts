export { insertAddress, insertGateway, openGatewaySecret, sealGatewaySecret, type NewAddress } from './gateway-rows.ts'
export { Gateways, plainAddress, type Gateway } from './known-gateways.ts'
export { getAddressOf, getGateway, getGatewayId, listGateways } from './read-gateways.ts'
