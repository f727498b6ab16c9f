export { bringApplicationForward, bringPartnerForward } from './bring-forward.ts';
export { calmProvider, createDisturber, disturbProvider, listDisturbances } from './disturb-provider.ts';
export { hookModes } from './hook-mode.ts';
export { readHooks, receiveHook } from './hooks.ts';
export { offerToApplication } from './offer-to-application.ts';
export { room } from './room.ts';
export { applicationEvents, partnerEvents, sendApplicationSample, sendPartnerSample } from './send-sample.ts';
export {
  creditApplication,
  creditWithTestMoney,
  failTransaction,
  payAtGateway,
  payAtTerminal,
  payInstalment,
  receiveTransfer,
} from './test-money.ts';
