import { describeMove } from '../testing/contract/describe-move.js';
import { movedKafka, movedQueues, movedRabbit } from '../testing/contract/moved-brokers.js';

describeMove('rabbitmq to kafka', movedRabbit, movedKafka);
describeMove('postgres to rabbitmq', movedQueues, movedRabbit);
