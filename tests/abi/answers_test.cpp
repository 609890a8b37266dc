// Things that must happen exactly once: a broker's answer, a store's completion.
#include <muster/sdk/broker.hpp>
#include <muster/sdk/store.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

namespace sdk = muster::sdk;

struct AnswerLog {
  std::vector<std::string> said;
  muster_answer table{sizeof table,
                      this,
                      [](void* self, muster_bytes body) {
                        say(self, "body " + std::string{sdk::as_text(sdk::to_span(body))});
                      },
                      [](void* self, const muster_bytes* parts, std::uint32_t count,
                         muster_release release, void* owner) {
                        say(self, "parts " + std::to_string(count) + " " +
                                      std::string{sdk::as_text(sdk::to_span(parts[0]))});
                        release(owner);
                      },
                      [](void* self) { say(self, "none"); },
                      [](void* self) { say(self, "close"); },
                      [](void* self, const muster_piece* pieces, std::uint32_t count,
                         muster_release release, void* owner) {
                        say(self, "pieces " + std::to_string(count) + " file " +
                                      std::to_string(pieces[count - 1].file));
                        release(owner);
                      }};

  static void say(void* self, std::string what) {
    static_cast<AnswerLog*>(self)->said.push_back(std::move(what));
  }
};

using Said = std::vector<std::string>;

TEST(BrokerAnswer, IsGivenOnce) {
  AnswerLog log;
  {
    sdk::Answer first{&log.table};
    sdk::Answer answer{std::move(first)};
    answer.body(sdk::as_bytes("yes"));
    EXPECT_THROW(answer.body(sdk::as_bytes("again")), sdk::Failure);
  }
  EXPECT_EQ(log.said, Said{"body yes"});
}

TEST(BrokerAnswer, ThatIsDroppedClosesTheConnection) {
  AnswerLog log;
  {
    sdk::Answer answer{&log.table};
  }
  EXPECT_EQ(log.said, Said{"close"});
}

TEST(BrokerAnswer, OwnedBuffersGoWithoutACopy) {
  AnswerLog log;
  sdk::Answer{&log.table}.owned(std::vector<std::uint8_t>{'x'});
  EXPECT_EQ(log.said, Said{"parts 1 x"});
}

TEST(BrokerAnswer, MayLieInFiles) {
  AnswerLog log;
  const muster_piece pieces[] = {sdk::to_piece(sdk::as_bytes("x")), {nullptr, 100, 5, 7}};
  int released = 0;
  sdk::Answer{&log.table}.shared(
      sdk::SharedPieces{pieces, [](void* owner) { ++*static_cast<int*>(owner); }, &released});
  EXPECT_EQ(log.said, Said{"pieces 2 file 7"});
  EXPECT_EQ(released, 1);
}

TEST(BrokerAnswer, InFilesIsRefusedWhereTheHostIsOlder) {
  AnswerLog log;
  log.table.struct_size = offsetof(muster_answer, pieces);
  sdk::Answer answer{&log.table};
  EXPECT_THROW(answer.shared(sdk::SharedPieces{{}, nullptr, nullptr}), sdk::Failure);
}

struct Store {
  static constexpr std::uint64_t max_batch_bytes = 1;
  void open(const sdk::OpenSpace&) {}
  void load(const sdk::ShardLife&, sdk::RecordSink&) {}
  void commit(const sdk::Batch& batch, sdk::CommitDone done) {
    if (batch.records.empty()) throw std::runtime_error("an empty batch");
    if (!batch.records[0].value) return done(MUSTER_FENCED);
    kept.push_back(std::move(done));
  }
  void owner(const sdk::ShardId&, sdk::BytesSink&) const {}
  std::vector<sdk::CommitDone> kept;
};

class StoreCommit : public testing::Test {
 protected:
  const muster_store_v1& table = sdk::store_table<Store>;
  const muster_host host{
      sizeof host, 0, 1, "test", nullptr, [](void*, muster_str) -> const void* { return nullptr; }};
  void* store = table.create(&host, nullptr, nullptr);
  std::vector<muster_code> done;

  void commit(const std::vector<muster_record>& records) {
    table.commit(
        store, sdk::to_str("groups"), 0, 1, 1, records.data(),
        static_cast<std::uint32_t>(records.size()),
        [](void* owner, muster_code code) {
          static_cast<std::vector<muster_code>*>(owner)->push_back(code);
        },
        &done);
  }
  ~StoreCommit() override { table.destroy(store); }
};

TEST_F(StoreCommit, ThatThrowsIsAnsweredOnce) {
  commit({});
  EXPECT_EQ(done, std::vector<muster_code>{MUSTER_INTERNAL});
}

TEST_F(StoreCommit, SeesTombstonesAsNoValue) {
  commit({{sdk::to_bytes(sdk::as_bytes("k")), {nullptr, 0}}});
  EXPECT_EQ(done, std::vector<muster_code>{MUSTER_FENCED});
}

TEST_F(StoreCommit, MayBeAnsweredLater) {
  commit({{sdk::to_bytes(sdk::as_bytes("k")), sdk::to_bytes(sdk::Bytes{})}});
  EXPECT_TRUE(done.empty());
  auto& kept = sdk::Instance<Store>::of(store).kept;
  kept.at(0)(MUSTER_OK);
  kept.clear();
  EXPECT_EQ(done, std::vector<muster_code>{MUSTER_OK});
}

}  // namespace
