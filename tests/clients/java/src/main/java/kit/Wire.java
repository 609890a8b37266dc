package kit;

import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.*;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.requests.*;

/** One connection without a client's retries, for what must be timed, or must not be answered. */
final class Wire implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private int correlation;

    Wire(int port) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    private RequestHeader write(AbstractRequest request) throws IOException {
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), "wire", correlation++);
        ByteBuffer bytes = request.serializeWithHeader(header);
        out.writeInt(bytes.remaining());
        out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        out.flush();
        return header;
    }

    private <T extends AbstractResponse> T ask(AbstractRequest request, Class<T> type) throws IOException {
        RequestHeader header = write(request);
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        return type.cast(AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header));
    }

    /** Sends it and looks at no answer. */
    void send(AbstractRequest request) throws IOException {
        write(request);
    }

    void apiVersions() throws IOException {
        ask(new ApiVersionsRequest.Builder().build((short) 3), ApiVersionsResponse.class);
    }

    /** The partition's answer. */
    ProduceResponseData.PartitionProduceResponse produce(String topic, byte[] value) throws IOException {
        var data = ask(produceRequest(topic, value), ProduceResponse.class).data();
        return data.responses().iterator().next().partitionResponses().get(0);
    }

    ConsumerGroupHeartbeatResponseData heartbeat(ConsumerGroupHeartbeatRequestData data) throws IOException {
        return ask(new ConsumerGroupHeartbeatRequest.Builder(data).build((short) 1),
            ConsumerGroupHeartbeatResponse.class).data();
    }

    JoinGroupResponseData joinGroup(JoinGroupRequestData data) throws IOException {
        return ask(new JoinGroupRequest.Builder(data).build((short) 9), JoinGroupResponse.class).data();
    }

    SyncGroupResponseData syncGroup(SyncGroupRequestData data) throws IOException {
        return ask(new SyncGroupRequest.Builder(data).build((short) 5), SyncGroupResponse.class).data();
    }

    static AbstractRequest produceRequest(String topic, byte[] value) {
        var records = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(value));
        var partition = new ProduceRequestData.PartitionProduceData().setIndex(0).setRecords(records);
        var topics = new ProduceRequestData.TopicProduceDataCollection();
        topics.add(new ProduceRequestData.TopicProduceData().setName(topic).setPartitionData(List.of(partition)));
        var data = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(5000).setTopicData(topics);
        return new ProduceRequest.Builder(ApiKeys.PRODUCE.oldestVersion(), (short) 12, data).build((short) 12);
    }

    static AbstractRequest commitRequest(String group, String topic, long offset, String note) {
        var partition = new OffsetCommitRequestData.OffsetCommitRequestPartition().setPartitionIndex(0)
            .setCommittedOffset(offset).setCommittedMetadata(note);
        var topics = new OffsetCommitRequestData.OffsetCommitRequestTopic().setName(topic)
            .setPartitions(List.of(partition));
        var data = new OffsetCommitRequestData().setGroupId(group).setTopics(List.of(topics));
        return OffsetCommitRequest.Builder.forTopicNames(data).build((short) 9);
    }

    @Override public void close() throws IOException {
        socket.close();
    }
}
